import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Screenshot } from '../api/types.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { bytes } from '../components/numbers.ts'
import { Time } from '../components/time.tsx'
import { screenshotAddress, webAddress } from '../results/cells/values.ts'
import styles from './thumbnail.module.css'

/** One screenshot as it is, what it shows, and which queries took it. */
export function ScreenshotView({
  screenshot,
  onStep,
  onClose,
}: {
  readonly screenshot: Screenshot
  /** To the one before or after it; undefined where there is none. */
  readonly onStep: { readonly back: (() => void) | undefined; readonly on: (() => void) | undefined }
  readonly onClose: () => void
}) {
  const { hash, url, width, height, type, takenAt, queries } = screenshot
  const address = webAddress(url)
  return (
    <Modal opened onClose={onClose} title="Screenshot" size="xl" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Stack gap={2} style={{ flex: '1 1 300px', minWidth: 0 }}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {address ? (
                <Anchor href={address.href} target="_blank" rel="noreferrer noopener" size="sm">
                  {url}
                </Anchor>
              ) : (
                url
              )}
            </Text>
            <Text size="sm" c="dimmed" component="div">
              {width} × {height} {type}, {bytes(screenshot.bytes)}, <Time at={takenAt} />
            </Text>
            <TakenBy queries={queries} onClose={onClose} />
          </Stack>
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              disabled={!onStep.back}
              leftSection={<IconChevronLeft size={14} />}
              onClick={onStep.back}
            >
              Previous
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              disabled={!onStep.on}
              rightSection={<IconChevronRight size={14} />}
              onClick={onStep.on}
            >
              Next
            </Button>
            <CopyButton value={hash} label="Copy the hash" />
          </Group>
        </Group>
        <img className={styles.whole} src={screenshotAddress(hash)} alt={`Screenshot of ${url}`} />
      </Stack>
    </Modal>
  )
}

function TakenBy({ queries, onClose }: Pick<Screenshot, 'queries'> & { readonly onClose: () => void }) {
  if (queries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No query refers to it: it goes when its time is over.
      </Text>
    )
  return (
    <Group gap="sm">
      {queries.map(({ id, stage }, index) => (
        <Anchor key={id} component={Link} href={`/queries/${id}`} size="sm" onClick={onClose}>
          {index === 0 ? 'The query that took it' : `Another, ${id.slice(0, 8)}`}
          {stage !== null && ` (stage ${stage})`}
        </Anchor>
      ))}
    </Group>
  )
}
