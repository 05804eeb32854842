import { Alert, Button, Code, Group, SegmentedControl, Text, useComputedColorScheme } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { QueryRecord, StageRecord } from '../../api/types.ts'
import { count } from '../../components/numbers.ts'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { pathOf, type RowsPage, rowsQuery, viewOf } from '../rows.ts'
import { ChartControls } from './chart-controls.tsx'
import { type ChartType, type Choice, chooseChart } from './choice.ts'
import { Chart, type ChartHandle } from './echart.tsx'
import { chartOptions, pageColour } from './options.ts'
import { type Profile, profileOf } from './profile.ts'
import { chartData } from './series.ts'

/** A chart of more says no more, and takes its time. */
const MOST_ROWS = 10_000

interface Props {
  readonly record: QueryRecord
  readonly stage: StageRecord
  readonly baseQuery: string
  readonly onQueryChange: (text: string, run?: boolean) => void
}

/** The rows as a picture. */
export function ChartTab({ record, stage, ...rest }: Props) {
  const flat = useQuery(rowsQuery(viewOf(record, stage, 'flat'), 0, MOST_ROWS))
  // A table too wide to be flat still has its own columns.
  const nested = useQuery({ ...rowsQuery(viewOf(record, stage), 0, MOST_ROWS), enabled: flat.isError })
  const page = flat.data ?? nested.data
  if (page) return <RowsChart page={page} {...rest} />
  return nested.isError ? <Failure error={nested.error} /> : <Loading label="Loading the chart" />
}

interface RowsChartProps extends Omit<Props, 'record' | 'stage'> {
  readonly page: RowsPage
}

function RowsChart({ page, baseQuery, onQueryChange }: RowsChartProps) {
  const { rows, columns, total } = page
  const scheme = useComputedColorScheme('light')
  const handle = useRef<ChartHandle>(null)
  const profiles = useMemo(
    () => columns.map(({ name }) => profileOf(name, rows)).filter(({ kind }) => kind !== 'none'),
    [columns, rows],
  )
  const [choice, setChoice] = useState(() => chooseChart(profiles, rows.length))
  const data = useMemo(() => chartData(rows, choice, profiles), [rows, choice, profiles])
  const option = useMemo(() => chartOptions(choice, data, scheme), [choice, data, scheme])
  if (rows.length === 0) return <Empty title="No rows">There is nothing to draw.</Empty>
  const notes = [
    ...(total > rows.length ? [`the first ${count(rows.length)} of ${count(total)} rows`] : []),
    ...data.notes,
  ]
  const isEmpty = data.series.every(({ data: points }) => points.every(point => point === null))
  const save = () => {
    const link = document.createElement('a')
    link.href = handle.current?.picture(pageColour(scheme)) ?? ''
    link.download = 'chart.png'
    link.click()
  }
  return (
    <>
      <Group justify="space-between" mb="xs" align="flex-end">
        <SegmentedControl
          size="xs"
          aria-label="Type of chart"
          value={choice.type}
          onChange={value => setChoice(withType(choice, value as ChartType, profiles))}
          data={[
            { value: 'bar', label: 'Bar' },
            { value: 'line', label: 'Line' },
            { value: 'histogram', label: 'Histogram' },
            { value: 'scatter', label: 'Scatter' },
          ]}
        />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={15} />}
          onClick={save}
          disabled={isEmpty}
        >
          Save as PNG
        </Button>
      </Group>
      <ChartControls choice={choice} profiles={profiles} onChange={setChoice} />
      <MoneyHint profiles={profiles} baseQuery={baseQuery} onQueryChange={onQueryChange} />
      {notes.length > 0 && (
        <Text size="sm" c="dimmed" mt="xs" role="status">
          Shown: {notes.join('; ')}.
        </Text>
      )}
      {isEmpty ? (
        <Empty title="Nothing to draw">
          Choose a column of numbers under Values, or count rows. Text that holds numbers becomes one by{' '}
          <Code>convert COLUMN number</Code>.
        </Empty>
      ) : (
        <Chart ref={handle} option={option} height={420} />
      )}
    </>
  )
}

/** Another type keeps what it can use of the choice. */
function withType(choice: Choice, type: ChartType, profiles: readonly Profile[]): Choice {
  const isNumber = (name: string | null) =>
    profiles.some(profile => profile.name === name && profile.kind === 'number')
  const numbers = profiles.filter(({ kind }) => kind === 'number').map(({ name }) => name)
  const y = choice.y.length > 0 ? choice.y : numbers.slice(0, 1)
  if (type === 'histogram') return { ...choice, type, y: y.filter(isNumber).slice(0, 1), aggregate: 'none' }
  if (type !== 'scatter') return { ...choice, type, y, x: choice.x ?? firstLabel(profiles) }
  const other = numbers.find(name => !y.includes(name)) ?? numbers[0] ?? null
  return { ...choice, type, y, x: isNumber(choice.x) ? choice.x : other, aggregate: 'none' }
}

const firstLabel = (profiles: readonly Profile[]): string | null =>
  (profiles.find(({ kind }) => kind === 'text' || kind === 'time') ?? profiles[0])?.name ?? null

/** Prices as they stand in a shop are text: one click makes numbers of them. */
function MoneyHint({
  profiles,
  baseQuery,
  onQueryChange,
}: Pick<Props, 'baseQuery' | 'onQueryChange'> & { readonly profiles: readonly Profile[] }) {
  const money = profiles.find(({ isMoney }) => isMoney)
  if (!money) return null
  const stage = `convert ${pathOf(money.name, 'flat')} number`
  return (
    <Alert color="moss" mt="xs" p="xs">
      <Group gap="xs">
        <Text size="sm">
          {money.name} holds numbers with something around them, such as a currency, and is text so far.
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onQueryChange(`${baseQuery}\n|| ${stage}`, true)}
        >
          Add {stage}
        </Button>
      </Group>
    </Alert>
  )
}
