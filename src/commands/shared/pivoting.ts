import type { Aggregate, Path } from '../../language/values.ts'
import { freshKeys } from '../../sql/order.ts'
import { deletePath, writePath } from '../../sql/path.ts'
import { type Relation, ROW_NUMBER } from '../../sql/relation.ts'
import { bind, integer, join, name, sql } from '../../sql/sql.ts'
import { unify } from '../../sql/unify.ts'
import { typed } from '../../sql/value.ts'
import { assemble } from './assemble.ts'
import { columnNamed, read, sameName } from './columns.ts'
import { crossTable } from './cross-table.ts'
import type { Tools } from './expressions.ts'
import { figuresOf } from './figures.ts'
import { staged } from './values.ts'

/** A cross table: a row for each value of `row`, a column for each of `column`. */
export async function pivoted(
  input: Relation,
  row: Path,
  column: Path,
  aggregates: readonly Aggregate[],
  tools: Tools,
): Promise<Relation> {
  const figures = await figuresOf(input, aggregates, tools)
  const key = read(figures.relation, row)
  const path = sameName(figures.relation, row)
  const table = await crossTable(figures, { row: key.sql, column, taken: [path.segments[0]!] }, tools.probe)
  const rows: Relation = {
    sql: sql`SELECT *, n AS ${name(ROW_NUMBER)} FROM (${table.sql})`,
    columns: [],
    order: [{ id: ROW_NUMBER }],
  }
  return assemble(rows, [
    { path, sql: sql`r`, type: key.type },
    ...table.cells.map(cell => ({ path: columnNamed(cell.name), sql: name(cell.id), type: cell.type })),
  ])
}

/** Beside the columns of the table, and like none of them. */
const ITEM = name('_item~')

/** A row for each value of the columns, the other columns copied. */
export function unpivoted(
  input: Relation,
  columns: readonly Path[],
  nameColumn: Path = columnNamed('name'),
  valueColumn: Path = columnNamed('value'),
): Relation {
  const { type, values } = unify(columns.map(path => read(input, path)))
  const items = columns.map(
    (path, index) =>
      sql`{'i': ${integer(index)}, 'n': ${bind(path.segments.join('.'), 'VARCHAR')}, 'v': ${values[index]!}}`,
  )
  const [place] = freshKeys(input.order, 1)
  const rows: Relation = {
    columns: input.columns,
    sql: sql`SELECT *, ${ITEM}.i AS ${name(place!)} FROM (SELECT *, unnest([${join(items, ', ')}]) AS ${ITEM} FROM (${input.sql})) WHERE ${ITEM}.v IS NOT NULL`,
    order: [...input.order, { id: place! }],
  }
  const stage = staged(rows, [typed(sql`${ITEM}.n`, 'VARCHAR'), typed(sql`${ITEM}.v`, type)])
  const others = columns.reduce((so, path) => deletePath(so, path, { missing: 'null' }), stage.relation)
  const named = writePath(others, nameColumn, stage.value(others, 0))
  return stage.cleared(writePath(named, valueColumn, stage.value(named, 1)))
}
