import type { Aggregate, Path } from '../../language/values.ts'
import { ranked, slice } from '../../sql/order.ts'
import { type Relation, ROW_NUMBER, where } from '../../sql/relation.ts'
import { rowText } from '../../sql/rows.ts'
import { integer, join, name, type Sql, sql } from '../../sql/sql.ts'
import { assemble, type Made } from './assemble.ts'
import { columnNamed, read, sameName } from './columns.ts'
import type { Tools } from './expressions.ts'
import { figuresOf } from './figures.ts'

const nowhere = { offset: 0, length: 0 }
export const COUNT_ROWS: Aggregate = { function: 'count', as: columnNamed('count'), span: nowhere }

/** The figures of each group, the groups in the order in which they first appear. */
export async function aggregated(
  input: Relation,
  by: readonly Path[],
  aggregates: readonly Aggregate[],
  tools: Tools,
): Promise<Relation> {
  const { relation, rank, figures } = await figuresOf(input, aggregates, tools)
  return grouped(
    relation,
    rank,
    by,
    figures.map(({ as, sql, type }) => ({ path: as, sql, type })),
  )
}

/** Each group's rows, whole, as an array. An ordered `list(…)` of structs takes three times as long. */
export function membersOf(input: Relation, by: readonly Path[]): Relation {
  const { relation, rank } = ranked(input)
  const members = sql`list({'rank': ${rank}, 'row': ${rowText(relation.columns)}})`
  const texts = sql`list_transform(list_sort(${members}), lambda member: member.row)`
  return grouped(relation, rank, by, [
    {
      path: columnNamed('_group'),
      sql: sql`('[' || array_to_string(${texts}, ',') || ']')::JSON`,
      type: 'JSON',
    },
  ])
}

/** The most or the least frequent values of a column. */
export function frequencies(input: Relation, path: Path, count: number, which: 'most' | 'least'): Relation {
  const { relation, rank } = ranked(where(input, sql`${read(input, path).sql} IS NOT NULL`))
  const made: Made[] = [
    { path: columnNamed('count'), sql: sql`count(*)`, type: 'BIGINT' },
    {
      path: columnNamed('percent'),
      sql: sql`round(100.0 * count(*) / sum(count(*)) OVER (), 2)::DOUBLE`,
      type: 'DOUBLE',
    },
  ]
  const order = { sql: sql`count(*)`, descending: which === 'most' }
  return slice(grouped(relation, rank, [path], made, order), count, 0)
}

/** By what the groups are sorted before the order of appearance. */
interface Order {
  readonly sql: Sql
  readonly descending: boolean
}

/** A row for each different set of keys, with what the aggregates say of its rows. */
function grouped(
  relation: Relation,
  rank: Sql,
  by: readonly Path[],
  made: readonly Made[],
  order?: Order,
): Relation {
  const keys = by.map((path): Made => ({ path: sameName(relation, path), ...read(relation, path) }))
  const columns = [...keys, ...made]
  const list = columns.map((column, index) => sql`${column.sql} AS ${name(`c${index}`)}`)
  const places = keys.map((_, index) => integer(index + 1))
  const groups = places.length > 0 ? sql` GROUP BY ${join(places, ', ')}` : sql``
  const first = places.length > 0 ? sql`min(${rank})` : sql`0`
  const sorted = order ? [{ id: '_k1', descending: order.descending }] : []
  const hidden = [
    ...(order ? [sql`${order.sql} AS ${name('_k1')}`] : []),
    sql`${first} AS ${name(ROW_NUMBER)}`,
  ]
  const rows: Relation = {
    columns: [],
    order: [...sorted, { id: ROW_NUMBER }],
    sql: sql`SELECT ${join([...list, ...hidden], ', ')} FROM (${relation.sql})${groups}`,
  }
  return assemble(
    rows,
    columns.map((column, index) => ({ path: column.path, type: column.type, sql: name(`c${index}`) })),
  )
}
