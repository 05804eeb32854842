import type { KeyboardEvent } from 'react'

export interface Cursor {
  readonly row: number
  readonly column: number
}

interface Extent {
  readonly rows: number
  readonly columns: number
  /** Rows that are seen at once. */
  readonly screen: number
}

/** Where a key leads from a cell, as grids do it everywhere; undefined for a key that leads nowhere. */
export function cursorAfter(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: Cursor,
  { rows, columns, screen }: Extent,
): Cursor | undefined {
  const whole = ctrlKey || metaKey
  const moves: Readonly<Record<string, Cursor>> = {
    ArrowUp: { row: whole ? 0 : row - 1, column },
    ArrowDown: { row: whole ? rows - 1 : row + 1, column },
    ArrowLeft: { row, column: whole ? 0 : column - 1 },
    ArrowRight: { row, column: whole ? columns - 1 : column + 1 },
    PageUp: { row: row - screen, column },
    PageDown: { row: row + screen, column },
    Home: { row: whole ? 0 : row, column: 0 },
    End: { row: whole ? rows - 1 : row, column: columns - 1 },
  }
  const wanted = moves[key]
  return wanted && { row: between(wanted.row, rows), column: between(wanted.column, columns) }
}

const between = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value))
