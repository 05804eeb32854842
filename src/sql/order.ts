import { numbered, type OrderTerm, orderBy, type Relation, ROW_NUMBER } from './relation.ts'
import { integer, join, name, type Sql, sql } from './sql.ts'

/** Ids for further hidden columns, none of which is in use. */
export function freshKeys(taken: readonly OrderTerm[], count: number): string[] {
  const used = new Set(taken.map(term => term.id.toLowerCase()))
  const keys: string[] = []
  for (let n = 1; keys.length < count; n++) if (!used.has(`_k${n}`)) keys.push(`_k${n}`)
  return keys
}

/** The relation ordered by these keys first and by its old order where they are equal. */
export function sortedBy(
  relation: Relation,
  keys: readonly { readonly sql: Sql; readonly descending: boolean }[],
): Relation {
  const ids = freshKeys(relation.order, keys.length)
  const extra = keys.map((key, index) => sql`${key.sql} AS ${name(ids[index]!)}`)
  return {
    columns: relation.columns,
    sql: sql`SELECT *, ${join(extra, ', ')} FROM (${relation.sql})`,
    order: [
      ...keys.map((key, index) => ({ id: ids[index]!, descending: key.descending })),
      ...relation.order,
    ],
  }
}

/**
 * The relation under its row number alone, and that number. A table as it was read is so already; a sorted or appended
 * one has several keys, which no `min(…)` or `arg_min(…)` can take.
 */
export function ranked(relation: Relation): { readonly relation: Relation; readonly rank: Sql } {
  const [first, ...more] = relation.order
  const isRanked = more.length === 0 && first?.id === ROW_NUMBER && !first.descending
  return { relation: isRanked ? relation : numbered(relation), rank: name(ROW_NUMBER) }
}

/** Back to front: what `NULLS LAST` put at the end comes first. */
export const backwards = (relation: Relation): Sql =>
  join(
    relation.order.map(term =>
      term.descending ? sql`${name(term.id)} ASC NULLS FIRST` : sql`${name(term.id)} DESC NULLS FIRST`,
    ),
    ', ',
  )

/** A stretch of the rows in their order, still under that order. */
export const slice = (relation: Relation, count: number, offset: number): Relation => ({
  ...relation,
  sql: sql`SELECT * FROM (${relation.sql}) ORDER BY ${orderBy(relation)} LIMIT ${integer(count)} OFFSET ${integer(offset)}`,
})

/** The last rows, still under their order. */
export const lastRows = (relation: Relation, count: number): Relation => ({
  ...relation,
  sql: sql`SELECT * FROM (${relation.sql}) ORDER BY ${backwards(relation)} LIMIT ${integer(count)}`,
})
