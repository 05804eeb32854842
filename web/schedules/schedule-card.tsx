import { Alert, Button, Card, Group, Menu, Stack, Switch, Text, Tooltip } from '@mantine/core'
import {
  IconAlertTriangle,
  IconClock,
  IconExternalLink,
  IconPencil,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { ScheduledQuery } from '../api/types.ts'
import { showFailure } from '../components/notices.ts'
import { counted } from '../components/numbers.ts'
import { QueryText } from '../components/query-text.tsx'
import { RowMenu } from '../components/row-menu.tsx'
import { exactTime, Time } from '../components/time.tsx'
import { useNow } from '../components/use-now.ts'
import { writeAgain } from '../queries/actions.ts'
import { deleteSchedule, runNow, setEnabled, wasDisabled } from './actions.ts'
import { RunStrip } from './run-strip.tsx'
import { capital, countdown, timingWords } from './timing-words.ts'

/** One schedule: what it runs and when, how it went, and what can be done with it. */
export function ScheduleCard({
  schedule,
  onEdit,
}: {
  readonly schedule: ScheduledQuery
  readonly onEdit: () => void
}) {
  const client = useQueryClient()
  const enable = useMutation({
    mutationFn: (enabled: boolean) => setEnabled(schedule, enabled, client),
    onError: showFailure,
  })
  const run = useMutation({ mutationFn: () => runNow(schedule, client), onError: showFailure })
  return (
    <Card withBorder padding="md" component="article" aria-label={schedule.query.slice(0, 80)}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <QueryText lines={3} style={{ flex: 1 }}>
            {schedule.query}
          </QueryText>
          <Group gap="xs" wrap="nowrap">
            <Switch
              aria-label="Enabled"
              checked={enable.isPending ? enable.variables : schedule.enabled}
              disabled={enable.isPending}
              onChange={event => enable.mutate(event.currentTarget.checked)}
            />
            <RowMenu label="More actions" onDelete={() => deleteSchedule(schedule, client)}>
              <Menu.Item
                component={Link}
                href={writeAgain(schedule.query)}
                leftSection={<IconExternalLink size={16} />}
              >
                Open in the editor
              </Menu.Item>
            </RowMenu>
          </Group>
        </Group>
        {wasDisabled(schedule) && (
          <Alert color="red" p="xs" icon={<IconAlertTriangle size={18} />}>
            Switched off after {counted(schedule.failures, 'failure')} in a row. Switch it on again once the
            reason is gone.
          </Alert>
        )}
        <Facts schedule={schedule} />
        <Group justify="space-between" align="flex-end" gap="sm">
          <RunStrip schedule={schedule} />
          <Group gap="xs" wrap="nowrap">
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPencil size={14} />}
              onClick={onEdit}
            >
              Edit
            </Button>
            <Button
              size="compact-sm"
              variant="light"
              leftSection={<IconPlayerPlay size={14} />}
              loading={run.isPending}
              onClick={() => run.mutate()}
            >
              Run now
            </Button>
          </Group>
        </Group>
      </Stack>
    </Card>
  )
}

function Facts({ schedule }: { readonly schedule: ScheduledQuery }) {
  const { failures, disableAfter, runs, skipped, lastRun } = schedule
  return (
    <Stack gap={2}>
      <Group gap={6} wrap="nowrap" align="flex-start">
        <IconClock size={16} aria-hidden style={{ flexShrink: 0, marginTop: 3 }} />
        <Text size="sm" fw={600}>
          {capital(timingWords(schedule))}
        </Text>
      </Group>
      <Text size="sm" c="dimmed" component="div">
        <NextRun schedule={schedule} />
        {counted(runs, 'run')}
        {lastRun && (
          <>
            , the last <Time at={lastRun.startedAt} />
          </>
        )}
        {skipped > 0 && ` · ${skipped} skipped`}
      </Text>
      {failures > 0 && !wasDisabled(schedule) && (
        <Text size="sm" c="var(--mantine-color-error)">
          {counted(failures, 'failure')} in a row
          {disableAfter ? `; ${disableAfter} switch it off` : ''}
        </Text>
      )}
    </Stack>
  )
}

function NextRun({ schedule: { enabled, nextRun } }: { readonly schedule: ScheduledQuery }) {
  const now = useNow()
  if (!enabled) return 'Disabled · '
  if (nextRun === null) return null
  return (
    <>
      Next{' '}
      <Tooltip label={exactTime(nextRun)}>
        <time dateTime={nextRun}>{countdown(nextRun, now)}</time>
      </Tooltip>
      {' · '}
    </>
  )
}
