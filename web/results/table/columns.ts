import {
  type Column,
  type ColumnDef,
  getCoreRowModel,
  type TableState,
  useReactTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import type { Row } from '../../../src/language/json.ts'
import type { ResultColumn, RowsPage } from '../rows.ts'
import { NARROWEST, widthsOf } from './widths.ts'

export type GridColumn = Column<Row, unknown>

/** The name stands behind a sign: the table takes no empty id, and finds widths for `constructor` in every object. */
const idOf = (name: string): string => `:${name}`
export const nameOf = ({ id }: GridColumn): string => id.slice(1)

export interface GridColumns {
  readonly pinned: readonly GridColumn[]
  readonly others: readonly GridColumn[]
  /** As they stand from left to right. */
  readonly shown: readonly GridColumn[]
  readonly all: readonly GridColumn[]
  readonly types: ReadonlyMap<string, ResultColumn['type']>
  readonly resize: (column: GridColumn, width: number) => void
  /** Puts a column one place to the left or right. */
  readonly move: (column: GridColumn, by: -1 | 1) => void
  readonly showAll: () => void
  /** Another object whenever a width changed. */
  readonly widths: object
}

const NO_ROWS: Row[] = []
const WIDEST = 2000

type ColumnState = Pick<TableState, 'columnVisibility' | 'columnPinning' | 'columnSizing' | 'columnOrder'>

const initial: ColumnState = {
  columnVisibility: {},
  columnPinning: { left: [], right: [] },
  columnSizing: {},
  columnOrder: [],
}

/** Which columns are shown, how wide and where. The rows are not given to the table: they come page by page. */
export function useColumns(page: RowsPage): GridColumns {
  const { columns } = page
  const [state, setState] = useState(initial)
  const key = columns.map(({ name }) => name).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: every page repeats the columns; another order of rows must not change the widths
  const definitions = useMemo(() => {
    const widths = widthsOf(page)
    return columns.map(
      ({ name }): ColumnDef<Row> => ({
        id: idOf(name),
        size: widths[name]!,
        minSize: NARROWEST,
      }),
    )
  }, [key])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const types = useMemo(() => new Map(columns.map(({ name, type }) => [name, type])), [key])
  const table = useReactTable({
    data: NO_ROWS,
    columns: definitions,
    getCoreRowModel: getCoreRowModel(),
    state,
    onStateChange: update =>
      setState(before => ({
        ...before,
        ...(typeof update === 'function' ? update(before as TableState) : update),
      })),
  })
  const pinned = table.getLeftVisibleLeafColumns()
  const others = table.getCenterVisibleLeafColumns()
  const all = table.getAllLeafColumns()
  return {
    pinned,
    others,
    shown: [...pinned, ...others],
    all,
    types,
    widths: state.columnSizing,
    resize: (column, width) =>
      table.setColumnSizing(sizes => ({
        ...sizes,
        [column.id]: Math.round(Math.min(WIDEST, Math.max(NARROWEST, width))),
      })),
    move: (column, by) => table.setColumnOrder(moved(all, others, column, by)),
    showAll: () => table.resetColumnVisibility(true),
  }
}

/** The order of all columns with one of them put beyond its neighbour; hidden ones between them are passed over. */
function moved(
  all: readonly GridColumn[],
  shown: readonly GridColumn[],
  column: GridColumn,
  by: -1 | 1,
): string[] {
  const ids = all.map(({ id }) => id)
  const neighbour = shown[shown.indexOf(column) + by]
  if (!neighbour) return ids
  const rest = ids.filter(id => id !== column.id)
  const place = rest.indexOf(neighbour.id) + (by === 1 ? 1 : 0)
  return rest.toSpliced(place, 0, column.id)
}
