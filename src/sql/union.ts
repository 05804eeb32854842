import { freshKeys } from './order.ts'
import { type Column, identify, type Relation } from './relation.ts'
import { bind, integer, join, name, type Sql, sql } from './sql.ts'
import { jsonOf } from './text.ts'

/**
 * The rows of `first`, then those of `second`. Columns meet by their exact name. One that has another type on each
 * side becomes JSON, BIGINT and DOUBLE too: as doubles, long integers would lose digits.
 */
export function unionAll(first: Relation, second: Relation): Relation {
  const names = [...new Set([...first.columns, ...second.columns].map(column => column.name))]
  const ids = identify(names)
  const columns = names.map((columnName, index): Column => {
    const sides = [first, second].flatMap(side => side.columns.filter(column => column.name === columnName))
    const [one, other] = sides
    const type = !other || one!.type === other.type ? one!.type : 'JSON'
    const numericText = type === 'VARCHAR' && sides.every(side => side.numericText)
    return { name: columnName, id: ids[index]!, type, ...(numericText && { numericText }) }
  })
  return { columns, ...stacked(first, second, columns) }
}

/** Which side a row is of comes first; then each side's own order, which is missing on the other. */
function stacked(
  first: Relation,
  second: Relation,
  columns: readonly Column[],
): Pick<Relation, 'sql' | 'order'> {
  const [side, ...keys] = freshKeys([], 1 + first.order.length + second.order.length)
  const terms = [...first.order, ...second.order]
  const select = (relation: Relation, rank: number, mine: (index: number) => boolean): Sql => {
    const list = [
      ...columns.map(column => sql`${sideValue(relation, column)} AS ${name(column.id)}`),
      sql`${integer(rank)} AS ${name(side!)}`,
      ...terms.map((term, index) => sql`${mine(index) ? name(term.id) : sql`NULL`} AS ${name(keys[index]!)}`),
    ]
    return sql`SELECT ${join(list, ', ')} FROM (${relation.sql})`
  }
  const split = first.order.length
  return {
    sql: sql`${select(first, 0, index => index < split)} UNION ALL ${select(second, 1, index => index >= split)}`,
    order: [
      { id: side! },
      ...terms.map((term, index) => ({ id: keys[index]!, ...(term.descending && { descending: true }) })),
    ],
  }
}

function sideValue(relation: Relation, wanted: Column): Sql {
  const column = relation.columns.find(candidate => candidate.name === wanted.name)
  if (!column) return bind(null, wanted.type)
  return wanted.type === column.type ? name(column.id) : jsonOf({ sql: name(column.id), type: column.type })
}
