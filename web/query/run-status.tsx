import { Alert, Anchor, Code, Group, List, Stack, Text } from '@mantine/core'
import { type Json, stringifyJson } from '../../src/language/json.ts'
import type { QueryRecord, QueryStatus } from '../api/types.ts'
import { counted } from '../components/numbers.ts'
import { duration, Time } from '../components/time.tsx'

const words: Readonly<Record<QueryRecord['status'], string>> = {
  queued: 'Waits for its turn',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  expired: 'Expired: its rows are gone',
}

/** One line about the run: how it stands, how much came out, how long it took. */
export function RunLine({
  record,
  status,
  onTakeBack,
}: {
  readonly record: QueryRecord
  readonly status: QueryStatus | undefined
  /** Where the text was changed: puts what was run in its place. */
  readonly onTakeBack: (() => void) | undefined
}) {
  return (
    <Group gap="xs" justify="space-between">
      <Group gap="xs">
        <Text
          size="sm"
          fw={600}
          role="status"
          c={record.status === 'failed' ? 'var(--mantine-color-error)' : ''}
        >
          {words[record.status]}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {facts(record, status).join(' · ')}
          {record.finishedAt && (
            <>
              {' · '}
              <Time at={record.finishedAt} />
            </>
          )}
        </Text>
      </Group>
      {onTakeBack && (
        <Text size="sm" c="dimmed">
          The text was changed after this run.{' '}
          <Anchor component="button" type="button" inherit underline="always" onClick={onTakeBack}>
            Take the changes back
          </Anchor>
        </Text>
      )}
    </Group>
  )
}

function facts(record: QueryRecord, status: QueryStatus | undefined): string[] {
  const found: string[] = []
  if (status && status.progress > 0) found.push(`${Math.floor(status.progress * 100)} %`)
  // While a domain has to be waited for, the pace so far tells nothing.
  if (status?.etaMs && status.waiting.length === 0)
    found.push(`about ${duration(Math.ceil(status.etaMs / 1000) * 1000)} left`)
  if (record.rows !== null) found.push(counted(record.rows, 'row'))
  const failed = status?.failedRows ?? record.failedRows
  if (failed > 0) found.push(`${counted(failed, 'row')} failed`)
  if (record.durationMs !== null) found.push(duration(record.durationMs))
  if (record.mode === 'turbo') found.push('turbo')
  return found
}

/** Why a query failed, and what it wants to be known besides. */
export function RunNotes({
  record,
  onJump,
}: {
  readonly record: QueryRecord
  readonly onJump: (line: number, column: number) => void
}) {
  const { error, warnings } = record
  return (
    <>
      {error && (
        <Alert
          color="red"
          role="alert"
          title={`The query ${record.status === 'failed' ? 'failed' : 'stopped'}`}
        >
          <Stack gap={4}>
            <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
              {error.message}
            </Text>
            {error.hint && (
              <Text size="sm" c="dimmed">
                {error.hint}
              </Text>
            )}
            {error.sample !== undefined && error.sample !== null && (
              <Code block mah={160} tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {typeof error.sample === 'string' ? error.sample : stringifyJson(error.sample as Json)}
              </Code>
            )}
            {typeof error.line === 'number' && (
              <Anchor
                component="button"
                type="button"
                size="sm"
                ta="left"
                onClick={() => onJump(error.line ?? 1, error.column ?? 1)}
              >
                {placeOf(error)}
              </Anchor>
            )}
          </Stack>
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert color="yellow" title={counted(warnings.length, 'warning')}>
          <List size="sm">
            {warnings.slice(0, 10).map(warning => (
              <List.Item key={warning} style={{ overflowWrap: 'anywhere' }}>
                {warning}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  )
}

function placeOf({ stage, line, column }: NonNullable<QueryRecord['error']>): string {
  const place = `line ${line}, column ${column ?? 1}`
  return typeof stage === 'number' ? `Stage ${stage + 1}: ${place}` : `Show ${place}`
}
