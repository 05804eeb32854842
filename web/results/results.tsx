import { Badge, Tabs } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCamera,
  IconChartBar,
  IconListDetails,
  IconTable,
  IconTimeline,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { parse } from '../../src/language/parser.ts'
import { positionsOf } from '../../src/language/positions.ts'
import { Problems } from '../../src/language/problems.ts'
import type { QueryRecord, StageRecord } from '../api/types.ts'
import { lazily } from '../app/lazily.ts'
import { count } from '../components/numbers.ts'
import { Empty, Loading } from '../components/states.tsx'
import { ErrorsTab } from './errors-tab.tsx'
import { queryScreenshots, ScreenshotsTab } from './screenshots-tab.tsx'
import { SummaryTab } from './summary-tab.tsx'
import { TableTab } from './table/table-tab.tsx'
import { WaterfallTab } from './waterfall-tab.tsx'

const ChartTab = lazily(async () => ({ default: (await import('./chart/chart-tab.tsx')).ChartTab }))

export interface ResultsProps {
  /** The query that was run. */
  readonly record: QueryRecord
  readonly stages: readonly StageRecord[]
  /** The stage whose rows are shown. */
  readonly stage: StageRecord
  /** The text in the editor; may have been changed since the run. */
  readonly query: string
  /** Puts a text into the editor, and with `run` runs it. */
  readonly onQueryChange: (text: string, run?: boolean) => void
}

/** What came out of a stage: its rows, and everything that can be seen in them. */
export function Results(props: ResultsProps) {
  const { record, stage } = props
  if (record.status === 'expired')
    return <Empty title="The rows are gone">Results are kept for a while only. Run the query again.</Empty>
  if (record.status === 'queued' || record.status === 'running')
    return <Empty title="The query is running">Its rows appear here when it is done.</Empty>
  if (stage.status === 'completed') return <StageResults key={stage.index} {...props} />
  return stage.failedRows > 0 ? (
    <ErrorsTab record={record} stage={stage} />
  ) : (
    <Empty title="This stage has no rows">
      {stage.status === 'failed' ? 'It failed; the reason stands above.' : 'The query ended before it.'} The
      rows of the stages before it can be read: choose one above.
    </Empty>
  )
}

function StageResults({ record, stages, stage, onQueryChange }: ResultsProps) {
  const [tab, setTab] = useState<string | null>('table')
  const [summaryOf, setSummaryOf] = useState<string>()
  const columns = new Set(stage.columns?.map(({ name }) => name))
  const failed = Math.max(record.failedRows, ...stages.map(({ failedRows }) => failedRows))
  const screenshots = useQuery(queryScreenshots(record.id))
  const taken = screenshots.data?.items.length ?? 0
  const baseQuery = queryUpTo(record.query, stage.index)
  const showSummary = (column: string) => {
    setSummaryOf(column)
    setTab('summary')
  }
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="table" leftSection={<IconTable size={16} />}>
          Table
        </Tabs.Tab>
        <Tabs.Tab value="chart" leftSection={<IconChartBar size={16} />}>
          Chart
        </Tabs.Tab>
        <Tabs.Tab value="summary" leftSection={<IconListDetails size={16} />}>
          Summary
        </Tabs.Tab>
        {columns.has('timing') && columns.has('resourceType') && (
          <Tabs.Tab value="waterfall" leftSection={<IconTimeline size={16} />}>
            Waterfall
          </Tabs.Tab>
        )}
        {(failed > 0 || columns.has('_error')) && (
          <Tabs.Tab
            value="errors"
            leftSection={<IconAlertTriangle size={16} />}
            rightSection={failed > 0 && <TabCount value={failed} />}
          >
            Errors
          </Tabs.Tab>
        )}
        {taken > 0 && (
          <Tabs.Tab
            value="screenshots"
            leftSection={<IconCamera size={16} />}
            rightSection={<TabCount value={taken} />}
          >
            Screenshots
          </Tabs.Tab>
        )}
      </Tabs.List>
      {/* Kept while others are looked at: where one had scrolled to, and what was hidden. */}
      <Tabs.Panel value="table" keepMounted>
        <TableTab
          record={record}
          stage={stage}
          baseQuery={baseQuery}
          onQueryChange={onQueryChange}
          onSummary={showSummary}
        />
      </Tabs.Panel>
      <Tabs.Panel value="chart">
        <Suspense fallback={<Loading label="Loading the chart" />}>
          <ChartTab record={record} stage={stage} baseQuery={baseQuery} onQueryChange={onQueryChange} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="summary">
        <SummaryTab record={record} stage={stage} column={summaryOf} />
      </Tabs.Panel>
      <Tabs.Panel value="waterfall">
        <WaterfallTab record={record} stage={stage} />
      </Tabs.Panel>
      <Tabs.Panel value="errors">
        <ErrorsTab record={record} stage={stage} />
      </Tabs.Panel>
      <Tabs.Panel value="screenshots">
        <ScreenshotsTab record={record} />
      </Tabs.Panel>
    </Tabs>
  )
}

const TabCount = ({ value }: { readonly value: number }) => (
  <Badge size="sm" variant="default" component="span">
    {count(value)}
  </Badge>
)

/** The text of the query up to the end of a stage, to add another one to it. */
function queryUpTo(query: string, index: number): string {
  const span = parse(query, new Problems(positionsOf(query)))[index]?.span
  return span === undefined ? query : query.slice(0, span.offset + span.length)
}
