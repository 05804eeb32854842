import { IconAlertTriangle } from '@tabler/icons-react'
import { memo } from 'react'
import type { Row } from '../../../src/language/json.ts'
import { count } from '../../components/numbers.ts'
import { CellContent } from '../cells/cell.tsx'
import type { ResultColumn } from '../rows.ts'
import { type GridColumn, nameOf } from './columns.ts'
import styles from './grid.module.css'
import { ROW_HEIGHT } from './tall-scroll.ts'

/** Where the columns in view stand. */
export interface Layout {
  readonly pinned: readonly GridColumn[]
  readonly others: readonly { readonly index: number; readonly start: number; readonly column: GridColumn }[]
  readonly width: number
  readonly numberWidth: number
  readonly isStuck: boolean
}

interface Props {
  readonly index: number
  readonly top: number
  readonly row: Row | undefined
  readonly layout: Layout
  readonly types: ReadonlyMap<string, ResultColumn['type']>
  /** The column that the cursor is in, if it is in this row. */
  readonly cursor: number | undefined
  readonly cellId: (row: number, column: number) => string
  readonly onSelect: (row: number, column: number) => void
  readonly onOpen: (row: number, column: string) => void
}

/** Why a row failed: nested under `_error`, flat beside it. */
function failureOf(row: Row | undefined): string | undefined {
  const error = row?._error as Row | null | undefined
  const reason = row?.['_error.message'] ?? error?.message ?? row?.['_error.code'] ?? error
  return reason === undefined || reason === null ? undefined : String(reason)
}

/** Drawn again only when something in it changed: while one scrolls, most rows just move. */
export const GridRow = memo(function GridRow(props: Props) {
  const { index, top, row, layout, types, cursor, cellId, onSelect, onOpen } = props
  const { pinned, others, width, numberWidth, isStuck } = layout
  const failure = failureOf(row)
  const cell = (column: GridColumn, place: number) => (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, and takes the keys for all its cells
    <div
      role="gridcell"
      id={cellId(index, place)}
      aria-colindex={place + 2}
      aria-selected={cursor === place}
      data-cursor={cursor === place || undefined}
      data-align={types.get(nameOf(column)) === 'number' ? 'right' : undefined}
      className={styles.cell}
      style={{ width: column.getSize() }}
      onMouseDown={() => onSelect(index, place)}
      onDoubleClick={() => onOpen(index, nameOf(column))}
    >
      {row ? (
        <CellContent
          value={row[nameOf(column)]}
          column={nameOf(column)}
          row={row}
          onOpen={() => onOpen(index, nameOf(column))}
        />
      ) : (
        <span className={styles.waiting} />
      )}
    </div>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy={row === undefined}
      className={`${styles.row} ${failure === undefined ? '' : styles.failed}`}
      style={{ top, height: ROW_HEIGHT, width }}
    >
      <div
        role="presentation"
        className={`${styles.pinned} ${isStuck ? styles.stuck : ''}`}
        data-edge={isStuck || undefined}
        style={{ width: 'fit-content' }}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: see the grid */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: see the grid */}
        <div role="rowheader" aria-colindex={1} className={styles.number} style={{ width: numberWidth }}>
          {failure !== undefined && (
            <span title={failure} role="img" aria-label={`failed: ${failure}`} className={styles.warning}>
              <IconAlertTriangle size={13} />
            </span>
          )}
          {count(index + 1)}
        </div>
        {pinned.map((column, place) => (
          <div key={column.id} role="presentation" style={{ height: '100%' }}>
            {cell(column, place)}
          </div>
        ))}
      </div>
      {others.map(({ index: at, start, column }) => (
        <div key={column.id} role="presentation" className={styles.place} style={{ left: start }}>
          {cell(column, pinned.length + at)}
        </div>
      ))}
    </div>
  )
})
