import { Accordion, Alert, Badge, Code, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Json, type Row, stringifyJson } from '../../src/language/json.ts'
import { api } from '../api/client.ts'
import type { CommandRun, Page, QueryRecord, StageRecord } from '../api/types.ts'
import { count, counted } from '../components/numbers.ts'
import { Empty, Failure, Loading } from '../components/states.tsx'
import { duration } from '../components/time.tsx'
import styles from './errors-tab.module.css'
import { rowsQuery, viewOf } from './rows.ts'

interface Props {
  readonly record: QueryRecord
  readonly stage: StageRecord
}

/** One thing that went wrong, whoever says so. */
interface Fault {
  readonly key: string
  readonly code: string
  readonly message: string
  readonly hint: string | null
  readonly title: string
  readonly about: string
  /** What it was given, where the row itself tells. */
  readonly input: Json
  /** Where the row is that it was given. */
  readonly from?: { readonly stage: number; readonly row: number }
}

const MOST = 500

/** Everything that failed, with the reason and what it was given. */
export function ErrorsTab({ record, stage }: Props) {
  const runs = useQuery({
    queryKey: ['queries', record.id, 'failed-commands'],
    queryFn: ({ signal }) =>
      api.get<Page<CommandRun>>(`/v1/sirp/queries/${record.id}/commands`, {
        query: { status: 'failed', limit: MOST },
        signal,
      }),
  })
  // Rows without the column come last, so those that failed come first.
  const hasErrors = stage.columns?.some(({ name }) => name === '_error') ?? false
  const rows = useQuery({
    ...rowsQuery(
      viewOf(record, stage, 'nested', { column: '_error', path: '_error.code', order: 'asc' }),
      0,
      MOST,
    ),
    enabled: hasErrors && runs.data?.total === 0,
  })
  if (runs.isError) return <Failure error={runs.error} onRetry={() => void runs.refetch()} />
  if (rows.isError) return <Failure error={rows.error} onRetry={() => void rows.refetch()} />
  if (runs.data === undefined || (rows.isFetching && rows.data === undefined))
    return <Loading label="Loading the errors" />
  const ofRuns = runs.data.items.filter(({ error }) => error !== null).map(faultOfRun(record.stages))
  const faults = ofRuns.length > 0 ? ofRuns : (rows.data?.rows ?? []).flatMap(faultOfRow)
  if (faults.length === 0)
    return <Empty title="Nothing to tell">No run that failed was kept, and no row carries an error.</Empty>
  return <Faults record={record} faults={faults} total={Math.max(runs.data.total, faults.length)} />
}

const faultOfRun =
  (stages: number) =>
  (run: CommandRun): Fault => ({
    key: run.id,
    code: run.error!.code,
    message: run.error!.message,
    hint: run.error!.hint ?? null,
    title: [run.command, ...run.args.map(textOf)].join(' '),
    about: `stage ${run.stage + 1} of ${stages}${run.row === null ? '' : `, row ${count(run.row + 1)}`}, ${duration(run.durationMs)}, ${counted(run.attempts, 'attempt')}`,
    input: { args: run.args, flags: run.flags } as Json,
    ...(run.row !== null && run.stage > 0 && { from: { stage: run.stage - 1, row: run.row } }),
  })

function faultOfRow(row: Row, index: number): Fault[] {
  const { _error: error, ...input } = row
  if (typeof error !== 'object' || error === null) return []
  const { code, message, hint } = error as Row
  return [
    {
      key: String(index),
      code: textOf(code ?? 'failed'),
      message: textOf(message ?? ''),
      hint: typeof hint === 'string' ? hint : null,
      title: textOf(input.url ?? input._url ?? Object.values(input)[0] ?? ''),
      about: 'a row of this stage',
      input,
    },
  ]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : stringifyJson(value as Json))

interface FaultsProps {
  readonly record: QueryRecord
  readonly faults: readonly Fault[]
  readonly total: number
}

function Faults({ record, faults, total }: FaultsProps) {
  const codes = [...Map.groupBy(faults, ({ code }) => code)].sort(([, a], [, b]) => b.length - a.length)
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {codes.map(([code, items]) => (
          <Badge key={code} color="red" variant="light" tt="none" size="lg" className={styles.code}>
            {code}: {count(items.length)}
          </Badge>
        ))}
        {total > faults.length && (
          <Text size="sm" c="dimmed">
            the first {count(faults.length)} of {count(total)}
          </Text>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        A stage with failed rows is not cached: run the query again, and it is tried anew.{' '}
        <Code>--retry 5</Code> tries harder, <Code>--onError skip</Code> leaves failed rows out, and{' '}
        <Code>filter "_error == null"</Code> does so later.
      </Text>
      <Accordion variant="separated" chevronPosition="left" order={2}>
        {faults.map(fault => (
          <Accordion.Item key={fault.key} value={fault.key}>
            <Accordion.Control>
              <Text size="sm" ff="monospace" truncate>
                {fault.title}
              </Text>
              <Text size="sm" className={styles.message}>
                {fault.message}
              </Text>
              <Text size="xs" c="dimmed">
                {fault.code}, {fault.about}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <FaultDetail record={record} fault={fault} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  )
}

function FaultDetail({ record, fault }: { readonly record: QueryRecord; readonly fault: Fault }) {
  const { from, hint } = fault
  const input = useQuery({
    ...rowsQuery(
      { queryId: record.id, stage: from?.stage ?? 0, finishedAt: null, mode: 'nested', sort: undefined },
      from?.row ?? 0,
      1,
    ),
    enabled: from !== undefined,
    retry: false,
  })
  const row = input.data?.rows[0]
  return (
    <Stack gap="xs">
      {hint && <Alert color="yellow">{hint}</Alert>}
      {row && <Block label="The row that it was given" value={row} />}
      <Block label={from ? 'What the command was sent with' : 'What it was given'} value={fault.input} />
    </Stack>
  )
}

function Block({ label, value }: { readonly label: string; readonly value: Json }) {
  return (
    <div>
      <Text size="xs" c="dimmed" fw={600}>
        {label}
      </Text>
      <Code block className={styles.input} tabIndex={0}>
        {stringifyJson(value, 2)}
      </Code>
    </div>
  )
}
