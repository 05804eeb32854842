import { Alert, Badge, Button, Card, Group, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Json, stringifyJson } from '../../src/language/json.ts'
import { api } from '../api/client.ts'
import type { QueryRecord, QuerySummary, StageRecord } from '../api/types.ts'
import { count, counted } from '../components/numbers.ts'
import { Empty, Failure, Loading } from '../components/states.tsx'
import { cutText } from './cells/values.ts'
import { typeName } from './rows.ts'
import styles from './summary-tab.module.css'

type ColumnFigures = QuerySummary['columns'][number]

interface Props {
  readonly record: QueryRecord
  readonly stage: StageRecord
  /** The one that was asked for in its menu. */
  readonly column: string | undefined
}

const STEP = 60

/** What is in each column. The server computes it when somebody asks for the first time. */
export function SummaryTab({ record, stage, column }: Props) {
  const [shown, setShown] = useState(STEP)
  const isLast = stage.index === record.stages - 1
  const summary = useQuery({
    queryKey: ['queries', record.id, 'summary'],
    queryFn: ({ signal }) => api.get<QuerySummary>(`/v1/sirp/queries/${record.id}/summary`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (summary.isError) return <Failure error={summary.error} onRetry={() => void summary.refetch()} />
  if (summary.data === undefined) return <Loading label="Computing the summary" />
  const { columns } = summary.data
  if (columns.length === 0) return <Empty title="No columns">The last stage gave no rows.</Empty>
  // A flat name leads into a column: `attributes.class` is summed up with `attributes`.
  const wanted =
    columns.find(({ name }) => name === column) ?? columns.find(({ name }) => column?.startsWith(`${name}.`))
  const ordered = wanted ? [wanted, ...columns.filter(item => item !== wanted)] : columns
  return (
    <>
      {!isLast && (
        <Alert color="gray" mb="sm" p="xs">
          Summaries are made of the last stage; these are its columns.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {ordered.slice(0, shown).map(item => (
          <ColumnCard key={item.name} figures={item} isWanted={item === wanted} />
        ))}
      </SimpleGrid>
      {ordered.length > shown && (
        <Button mt="sm" variant="default" onClick={() => setShown(shown + STEP)}>
          Show more of {counted(ordered.length, 'column')}
        </Button>
      )}
    </>
  )
}

function ColumnCard({ figures, isWanted }: { readonly figures: ColumnFigures; readonly isWanted: boolean }) {
  const { name, type, nulls, distinct, min, max, mean, quantiles, top } = figures
  const all = figures.count + nulls
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isWanted) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isWanted])
  return (
    <Card
      withBorder
      padding="sm"
      ref={ref}
      component="section"
      aria-label={`Summary of ${name}`}
      data-wanted={isWanted || undefined}
      className={styles.card}
    >
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text fw={600} truncate title={name}>
          {name}
        </Text>
        <Badge variant="default" size="sm" tt="none" className={styles.fixed}>
          {typeName(type)}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {counted(figures.count, 'value')}
        {distinct !== null && `, ${count(distinct)} distinct`}
        {nulls > 0 && `, ${count(nulls)} missing (${percent(nulls, all)})`}
      </Text>
      {quantiles && <Spread figures={figures} />}
      <dl className={styles.figures}>
        <Figure label="min" value={min} />
        <Figure label="max" value={max} />
        {mean !== null && <Figure label="mean" value={mean} />}
        {quantiles && <Figure label="median" value={(quantiles.p50 ?? null) as Json} />}
      </dl>
      {top.length > 0 && <TopValues top={top} all={figures.count} />}
    </Card>
  )
}

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(0)} %`

const wordsFor = (value: unknown): string =>
  typeof value === 'number'
    ? new Intl.NumberFormat('en', { maximumSignificantDigits: 8, useGrouping: false }).format(value)
    : typeof value === 'string'
      ? value
      : stringifyJson(value as Json)

function Figure({ label, value }: { readonly label: string; readonly value: unknown }) {
  if (value === null || value === undefined) return null
  return (
    <div>
      <dt>{label}</dt>
      <dd title={cutText(wordsFor(value))}>{cutText(wordsFor(value))}</dd>
    </div>
  )
}

/** The least to the most, with the middle half of the values as a box and their median as a line. */
function Spread({ figures: { min, max, quantiles } }: { readonly figures: ColumnFigures }) {
  const [low, high, p25, p50, p75] = [min, max, quantiles?.p25, quantiles?.p50, quantiles?.p75].map(
    Number,
  ) as [number, number, number, number, number]
  if (!(high > low)) return null
  const at = (value: number) => `${(100 * (value - low)) / (high - low)}%`
  return (
    <div
      className={styles.spread}
      role="img"
      aria-label={`From ${wordsFor(low)} to ${wordsFor(high)}; half of the values lie between ${wordsFor(p25)} and ${wordsFor(p75)}, the median is ${wordsFor(p50)}`}
    >
      <div className={styles.box} style={{ left: at(p25), width: `calc(${at(p75)} - ${at(p25)})` }} />
      <div className={styles.median} style={{ left: at(p50) }} />
    </div>
  )
}

function TopValues({ top, all }: { readonly top: ColumnFigures['top']; readonly all: number }) {
  const most = Math.max(...top.map(item => item.count))
  const rest = all - top.reduce((sum, item) => sum + item.count, 0)
  return (
    <ul className={styles.top} aria-label="Most frequent values">
      {top.map(item => (
        <li key={wordsFor(item.value)}>
          <span className={styles.bar} style={{ width: `${(100 * item.count) / most}%` }} />
          <span className={styles.value}>{cutText(wordsFor(item.value))}</span>
          <span className={styles.share}>
            {count(item.count)} ({percent(item.count, all)})
          </span>
        </li>
      ))}
      {rest > 0 && (
        <li>
          <span className={styles.value}>
            <i>others</i>
          </span>
          <span className={styles.share}>
            {count(rest)} ({percent(rest, all)})
          </span>
        </li>
      )}
    </ul>
  )
}
