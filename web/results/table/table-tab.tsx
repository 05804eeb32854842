import { Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { QueryRecord, StageRecord } from '../../api/types.ts'
import { counted } from '../../components/numbers.ts'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { CellView } from '../cells/cell-view.tsx'
import { CommandsDialog } from '../commands-dialog.tsx'
import { ExportMenu } from '../export-menu.tsx'
import { firstPageQuery, type RowMode, type RowsPage, type RowsView, type Sorting, viewOf } from '../rows.ts'
import { nameOf, useColumns } from './columns.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { Grid, type OpenCell } from './grid.tsx'

interface Props {
  readonly record: QueryRecord
  readonly stage: StageRecord
  readonly baseQuery: string
  readonly onQueryChange: (text: string, run?: boolean) => void
  readonly onSummary: (column: string) => void
}

/** Lists in rows can make a flat table of hundreds of columns, `items.0.name` to `items.99.name`: nobody reads that. */
const MOST_FLAT_COLUMNS = 200

/** The rows of a stage. */
export function TableTab({ record, stage, ...rest }: Props) {
  const [chosen, setChosen] = useState<RowMode>()
  const [sort, setSort] = useState<Sorting>()
  const flat = useQuery(firstPageQuery(viewOf(record, stage, 'flat')))
  const isTooWide =
    flat.isError ||
    (flat.data?.columns.length ?? 0) > Math.max(MOST_FLAT_COLUMNS, 2 * (stage.columns?.length ?? 0))
  const mode = chosen ?? (isTooWide ? 'nested' : 'flat')
  const view = viewOf(record, stage, mode, sort)
  const isKnown = chosen !== undefined || !flat.isPending
  const page = useQuery({ ...firstPageQuery(view), enabled: isKnown })
  const setMode = (next: RowMode) => {
    setChosen(next)
    setSort(undefined)
  }
  if (page.data === undefined)
    return page.isError ? (
      <Failure error={page.error} onRetry={() => void page.refetch()} />
    ) : (
      <Loading label="Loading the rows" />
    )
  if (page.data.total === 0)
    return <Empty title="No rows">The stage has ended, and nothing came out of it.</Empty>
  return (
    <>
      {page.isError && <Failure error={page.error} onRetry={() => void page.refetch()} />}
      <LoadedTable
        key={mode}
        {...rest}
        view={view}
        page={page.data}
        stage={stage}
        onSort={setSort}
        onMode={setMode}
      />
    </>
  )
}

interface LoadedProps extends Omit<Props, 'record'> {
  readonly view: RowsView
  readonly page: RowsPage
  readonly onSort: (sort: Sorting | undefined) => void
  readonly onMode: (mode: RowMode) => void
}

function LoadedTable({
  view,
  page,
  stage,
  baseQuery,
  onQueryChange,
  onSummary,
  onSort,
  onMode,
}: LoadedProps) {
  const columns = useColumns(page)
  const [cell, setCell] = useState<OpenCell>()
  const [commandsFor, setCommandsFor] = useState<string>()
  return (
    <>
      <Group justify="space-between" mb={8} gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {counted(page.total, 'row')}, {counted(page.columns.length, 'column')}
          {stage.failedRows > 0 && `, ${stage.failedRows.toLocaleString('en')} failed`}
        </Text>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Nested values"
            value={view.mode}
            onChange={value => onMode(value as RowMode)}
            data={[
              { value: 'flat', label: 'Flat' },
              { value: 'nested', label: 'Nested' },
            ]}
          />
          <ColumnsMenu columns={columns} />
          <ExportMenu view={view} />
        </Group>
      </Group>
      <Grid
        view={view}
        page={page}
        columns={columns}
        onSort={onSort}
        onCommands={setCommandsFor}
        onSummary={onSummary}
        onOpenCell={setCell}
      />
      <CellView view={view} cell={cell} total={page.total} onMove={setCell} />
      <CommandsDialog
        column={commandsFor}
        columns={columns.all.map(nameOf)}
        mode={view.mode}
        baseQuery={baseQuery}
        onClose={() => setCommandsFor(undefined)}
        onQueryChange={onQueryChange}
      />
    </>
  )
}
