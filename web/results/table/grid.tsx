import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react'
import { Failure } from '../../components/states.tsx'
import { shownValue } from '../cells/values.ts'
import type { RowsPage, RowsView, Sorting } from '../rows.ts'
import { type GridColumn, type GridColumns, nameOf } from './columns.ts'
import { type Cursor, cursorAfter } from './cursor.ts'
import styles from './grid.module.css'
import { GridHeader } from './grid-header.tsx'
import { GridRow, type Layout } from './grid-row.tsx'
import { HEADER_HEIGHT, ROW_HEIGHT, type TallScroll, useTallScroll } from './tall-scroll.ts'
import { useRows } from './use-rows.ts'

export interface OpenCell {
  readonly row: number
  readonly column: string
}

interface Props {
  readonly view: RowsView
  readonly page: RowsPage
  readonly columns: GridColumns
  readonly onSort: (sort: Sorting | undefined) => void
  readonly onCommands: (column: string) => void
  readonly onSummary: (column: string) => void
  /** Has to stay the same function. */
  readonly onOpenCell: (cell: OpenCell) => void
}

/** Rows beyond the edge that are drawn already, so that scrolling shows no gap. */
const SPARE_ROWS = 6
/** Rows are placed from the beginning of their block, so that while one scrolls they need not be placed anew. */
const BLOCK = 1000

/** All rows of a stage, of which only those in view are in the page, and only those near it are fetched. */
export function Grid({ view, page, columns, onSort, onCommands, onSummary, onOpenCell }: Props) {
  const { total } = page
  const id = useId()
  const scroll = useTallScroll(total)
  const { layout, showColumn } = useLayout(columns, scroll, total)
  const [cursor, setCursor] = useState<Cursor>({ row: 0, column: 0 })

  const { scrolled, top } = scroll.position
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - SPARE_ROWS)
  const last = Math.min(total - 1, Math.ceil((top + scroll.height) / ROW_HEIGHT) + SPARE_ROWS)
  const block = Math.floor(first / BLOCK) * BLOCK
  const { rowAt, error, retry } = useRows(view, first, last)

  const cellId = useCallback((row: number, column: number) => `${id}-${row}-${column}`, [id])
  const select = useCallback((row: number, column: number) => setCursor({ row, column }), [])
  const open = useCallback((row: number, column: string) => onOpenCell({ row, column }), [onOpenCell])
  const active = columns.shown[cursor.column]

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) return
    const screen = Math.max(1, Math.floor(scroll.height / ROW_HEIGHT) - 1)
    const next = cursorAfter(event, cursor, { rows: total, columns: columns.shown.length, screen })
    if (next) {
      setCursor(next)
      scroll.showRow(next.row)
      if (next.column !== cursor.column) showColumn(next.column)
    } else if (event.key === 'Enter' && active && rowAt(cursor.row)) open(cursor.row, nameOf(active))
    else return
    event.preventDefault()
  }
  const onCopy = (event: ClipboardEvent) => {
    const row = rowAt(cursor.row)
    if (!row || !active || getSelection()?.toString()) return
    event.clipboardData.setData('text/plain', shownValue(row[nameOf(active)], nameOf(active), row).text)
    event.preventDefault()
  }

  const isDrawn = (column: GridColumn) =>
    columns.pinned.includes(column) || layout.others.some(other => other.column === column)
  const isActiveDrawn = active && cursor.row >= first && cursor.row <= last && isDrawn(active)
  return (
    <>
      {error !== undefined && <Failure error={error} onRetry={retry} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot leave out a million of its rows */}
      <div
        role="grid"
        aria-label="Rows"
        aria-rowcount={total + 1}
        aria-colcount={columns.shown.length + 1}
        aria-activedescendant={isActiveDrawn ? cellId(cursor.row, cursor.column) : undefined}
        tabIndex={0}
        ref={scroll.ref}
        className={styles.grid}
        onScroll={scroll.onScroll}
        onKeyDown={onKeyDown}
        onCopy={onCopy}
        style={{
          height: `min(${HEADER_HEIGHT + total * ROW_HEIGHT + 18}px, max(360px, 100dvh - 320px))`,
        }}
      >
        <GridHeader
          layout={layout}
          columns={columns}
          sort={view.sort}
          onSort={onSort}
          onCommands={onCommands}
          onSummary={onSummary}
        />
        <div className={styles.body} style={{ height: scroll.bodyHeight, width: layout.width }}>
          <div style={{ transform: `translateY(${scrolled - top + block * ROW_HEIGHT}px)` }}>
            {Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).map(index => (
              <GridRow
                key={index}
                index={index}
                top={(index - block) * ROW_HEIGHT}
                row={rowAt(index)}
                layout={layout}
                types={columns.types}
                cursor={cursor.row === index ? cursor.column : undefined}
                cellId={cellId}
                onSelect={select}
                onOpen={open}
              />
            ))}
          </div>
        </div>
      </div>
    </>
  )
}

/** Where the columns stand that are in view; with a thousand of them most are not. */
function useLayout(
  columns: GridColumns,
  scroll: TallScroll,
  total: number,
): { layout: Layout; showColumn: (place: number) => void } {
  const { pinned, others, widths } = columns
  const numberWidth = 28 + String(total).length * 8
  const pinnedWidth = numberWidth + pinned.reduce((sum, column) => sum + column.getSize(), 0)
  // On a narrow screen pinned columns would leave no room for the others: there they scroll along.
  const isStuck = pinnedWidth < scroll.width * 0.6
  const virtual = useVirtualizer({
    horizontal: true,
    count: others.length,
    getScrollElement: () => scroll.ref.current,
    estimateSize: index => others[index]!.getSize(),
    getItemKey: index => others[index]!.id,
    paddingStart: pinnedWidth,
    scrollPaddingStart: isStuck ? pinnedWidth : 0,
    overscan: 2,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it remembers sizes until it is told that they changed
  useEffect(() => virtual.measure(), [widths, others, pinnedWidth])

  const items = virtual.getVirtualItems()
  const width = Math.max(virtual.getTotalSize(), scroll.width)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns themselves know their widths
  const layout = useMemo(
    () => ({
      pinned,
      others: items.map(({ index, start }) => ({ index, start, column: others[index]! })),
      width,
      numberWidth,
      isStuck,
    }),
    [pinned, others, items, widths, width, numberWidth, isStuck],
  )
  const showColumn = (place: number) =>
    place < pinned.length ? virtual.scrollToOffset(0) : virtual.scrollToIndex(place - pinned.length)
  return { layout, showColumn }
}
