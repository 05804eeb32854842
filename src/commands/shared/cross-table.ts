import type { Path } from '../../language/values.ts'
import type { Relation } from '../../sql/relation.ts'
import { bind, integer, join, name, type Sql, type SqlType, sql } from '../../sql/sql.ts'
import { textOf } from '../../sql/text.ts'
import { CommandFailure } from '../failure.ts'
import { read } from './columns.ts'
import type { Tools } from './expressions.ts'
import type { Figure, Figures } from './figures.ts'

/** A table holds about a thousand columns, and nobody reads more. */
const MOST_COLUMNS = 1000

/** A column of a cross table, under the id that the SQL gives it. */
interface Cell {
  readonly name: string
  readonly id: string
  readonly type: SqlType
  /** 0, not missing, where there are no rows. */
  readonly counts: boolean
}

/** `sql` yields the row's key as `r`, the cells by their ids, and `n`, the row number of the key's first appearance. */
interface CrossTable {
  readonly sql: Sql
  readonly cells: readonly Cell[]
}

interface CrossTableOptions {
  readonly row: Sql
  /** The column whose values become columns; without one each figure is a column. */
  readonly column: Path | undefined
  /** Names that a value must not take. */
  readonly taken: readonly string[]
}

export async function crossTable(
  { relation, rank, figures }: Figures,
  { row, column, taken }: CrossTableOptions,
  probe: Tools['probe'],
): Promise<CrossTable> {
  const key = column ? sql`coalesce(${textOf(read(relation, column))}, 'null')` : sql`''`
  const values = column ? await valuesOf(relation, key, rank, column, probe) : ['']
  const list = figures.map((figure, index) => sql`${figure.sql} AS ${name(`a${index}`)}`)
  const long = sql`SELECT ${row} AS r, ${key} AS k, ${join([...list, sql`min(${rank}) AS n`], ', ')} FROM (${relation.sql}) GROUP BY 1, 2`
  const cells = values.flatMap((value, at) =>
    figures.map((figure, index) => {
      const found = sql`any_value(${name(`a${index}`)}) FILTER (WHERE k = ${bind(value, 'VARCHAR')})`
      return {
        sql: figure.counts ? sql`coalesce(${found}, 0)` : found,
        id: `c${at}_${index}`,
        name: cellName(figure, column && value, figures.length > 1),
        type: figure.type,
        counts: figure.counts,
      }
    }),
  )
  const wide = cells.map(cell => sql`${cell.sql} AS ${name(cell.id)}`)
  return {
    sql: sql`SELECT r, ${join([...wide, sql`min(n) AS n`], ', ')} FROM (${long}) GROUP BY r`,
    cells: distinctNames(cells, taken),
  }
}

function cellName(figure: Figure, value: string | undefined, several: boolean): string {
  const figureName = figure.as.segments.join('.')
  if (value === undefined) return figureName
  return several ? `${value}_${figureName}` : value
}

/** A value that is also the name of another column gets `_` behind it. */
function distinctNames(cells: readonly Cell[], taken: readonly string[]): Cell[] {
  const names = new Set(taken)
  return cells.map(({ name: wanted, id, type, counts }) => {
    let cell = wanted
    while (names.has(cell)) cell += '_'
    names.add(cell)
    return { name: cell, id, type, counts }
  })
}

async function valuesOf(
  relation: Relation,
  key: Sql,
  rank: Sql,
  column: Path,
  probe: Tools['probe'],
): Promise<string[]> {
  const found = await probe(
    sql`SELECT ${key} AS k FROM (${relation.sql}) GROUP BY 1 ORDER BY min(${rank}) LIMIT ${integer(MOST_COLUMNS + 1)}`,
  )
  if (found.length <= MOST_COLUMNS) return found.map(row => String(row.k))
  throw new CommandFailure(
    'too_many_columns',
    `${column.text} has more than ${MOST_COLUMNS} different values, too many to be columns.`,
    { hint: 'Keep the frequent ones by a filter first, or use stats --by with both columns.' },
  )
}
