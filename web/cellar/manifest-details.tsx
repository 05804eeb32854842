import { Code, Modal, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Json, stringifyJson } from '../../src/language/json.ts'
import type { CellarManifest } from '../api/types.ts'
import { bytes, count, counted } from '../components/numbers.ts'
import { Time } from '../components/time.tsx'
import { Thumbnail } from '../screenshots/thumbnail.tsx'

/** All that is known of a manifest, with the screenshots that it keeps. */
export function ManifestDetails({
  manifest,
  onClose,
}: {
  readonly manifest: CellarManifest
  readonly onClose: () => void
}) {
  const { name, store, type, errors, screenshots, attributesContext } = manifest
  return (
    <Modal opened onClose={onClose} title={name} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Table variant="vertical" layout="fixed">
          <Table.Tbody>
            <Fact name="Store">
              {store} ({type})
            </Fact>
            <Fact name="Deliveries">{count(manifest.deliveries)}</Fact>
            <Fact name="Rows">{count(manifest.rows)}</Fact>
            <Fact name="Size">{bytes(manifest.bytes)}</Fact>
            <Fact name="Last delivery">
              <Time at={manifest.touchedAt} />
            </Fact>
            <Fact name="Errors">
              {errors.count === 0 ? (
                'None'
              ) : (
                <>
                  {counted(errors.count, 'error')}, the last <Time at={errors.at} />
                  {errors.message && `: ${errors.message}`}
                </>
              )}
            </Fact>
          </Table.Tbody>
        </Table>
        {attributesContext && (
          <Stack gap={4}>
            <Text fw={600} size="sm">
              Context of the attributes
            </Text>
            <Code block tabIndex={0} mah={200} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {stringifyJson(attributesContext as Json, 2)}
            </Code>
          </Stack>
        )}
        <Stack gap={4}>
          <Text fw={600} size="sm">
            Screenshots
          </Text>
          {screenshots.length === 0 ? (
            <Text size="sm" c="dimmed">
              It names none.
            </Text>
          ) : (
            <SimpleGrid cols={{ base: 2, xs: 3 }}>
              {screenshots.map(([hash, stage]) => (
                <Thumbnail
                  key={`${hash} ${stage}`}
                  hash={String(hash)}
                  label={stage === undefined ? 'Screenshot' : `Screenshot of stage ${stage}`}
                />
              ))}
            </SimpleGrid>
          )}
        </Stack>
      </Stack>
    </Modal>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <Table.Tr>
    <Table.Th w={140}>{name}</Table.Th>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>{children}</Table.Td>
  </Table.Tr>
)
