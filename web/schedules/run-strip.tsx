import { Group, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, segment } from '../api/client.ts'
import type { Page, ScheduledQuery, ScheduledRun } from '../api/types.ts'
import { statusLabel } from '../components/status-badge.tsx'
import { duration, exactTime, timeAgo } from '../components/time.tsx'
import styles from './run-strip.module.css'

const SHOWN = 20
const LIVE_MS = 2000

/** The last runs as a row of blocks, the latest at the right; each leads to its query. */
export function RunStrip({ schedule }: { readonly schedule: ScheduledQuery }) {
  const { id, runs, skipped, lastRun } = schedule
  const query = useQuery({
    // Asked again only when the schedule says that something has changed.
    queryKey: ['schedules', 'runs', id, runs, skipped, lastRun?.queryId, lastRun?.status],
    queryFn: () =>
      api.get<Page<ScheduledRun>>(`/v1/sirp/scheduled/${segment(id)}/runs`, { query: { limit: SHOWN } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? LIVE_MS : false),
  })
  const items = query.data?.items ?? []
  if (items.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {query.isError
          ? 'Its runs could not be read.'
          : query.isPending
            ? 'Reading its runs…'
            : 'It has not run yet.'}
      </Text>
    )
  return (
    <Group component="ul" className={styles.strip} aria-label="Last runs" gap={3} wrap="nowrap">
      {items.toReversed().map(run => (
        <li key={run.queryId}>
          <Block run={run} />
        </li>
      ))}
    </Group>
  )
}

const isOpen = ({ status }: ScheduledRun): boolean => status === 'running' || status === 'waiting'

const causes = { schedule: 'on schedule', missed: 'late, after a pause', hand: 'by hand' } as const

function Block({ run }: { readonly run: ScheduledRun }) {
  const at = run.startedAt ?? run.dueAt
  const took =
    run.startedAt && run.finishedAt
      ? `, ${duration(new Date(run.finishedAt).getTime() - new Date(run.startedAt).getTime())}`
      : ''
  const words = `${statusLabel(run.status)} ${timeAgo(at)}${took}, ${causes[run.cause]}`
  const more = [exactTime(at), ...(run.error ? [run.error.slice(0, 300)] : [])].join('\n')
  const hasQuery = run.status !== 'skipped' && run.status !== 'waiting'
  return (
    <Tooltip label={`${words}\n${more}`} multiline maw={360} style={{ whiteSpace: 'pre-line' }}>
      {hasQuery ? (
        <Link
          href={`/queries/${run.queryId}`}
          className={styles.block}
          data-status={run.status}
          aria-label={words}
        />
      ) : (
        <span className={styles.block} data-status={run.status}>
          <VisuallyHidden>{words}</VisuallyHidden>
        </span>
      )}
    </Tooltip>
  )
}
