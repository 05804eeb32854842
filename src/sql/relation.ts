import { join, name, type Sql, type SqlType, sql } from './sql.ts'

/** A column under its own name and the one DuckDB knows it by: DuckDB ignores letter case and has no empty name. */
export interface Column {
  readonly name: string
  readonly id: string
  readonly type: SqlType
  /** Known when the rows were read: every value is text that is a plain JSON number. */
  readonly numericText?: boolean
}

/**
 * A table as a SELECT. Rows have an order: `order` says which hidden columns give it, so that a sort is done once, at
 * the end, however many stages are fused. `sql` yields each column by its id and the hidden ones beside them.
 */
export interface Relation {
  readonly sql: Sql
  readonly columns: readonly Column[]
  readonly order: readonly OrderTerm[]
}

export interface OrderTerm {
  /** Id of a hidden column. All terms together are unique, so the order is total. */
  readonly id: string
  readonly descending?: boolean
}

export const ROW_NUMBER = '_rn'

export const orderBy = (relation: Relation): Sql =>
  join(
    relation.order.map(term =>
      term.descending ? sql`${name(term.id)} DESC NULLS LAST` : sql`${name(term.id)} ASC NULLS LAST`,
    ),
    ', ',
  )

/** What every projection carries along. */
export const hidden = (relation: Relation): readonly Sql[] => relation.order.map(term => name(term.id))

/** A new list of columns, each with the expression over the relation's columns that gives it. */
export function project(
  relation: Relation,
  columns: readonly { readonly column: Column; readonly sql: Sql }[],
): Relation {
  const list = columns.map(item => sql`${item.sql} AS ${name(item.column.id)}`)
  return {
    ...relation,
    sql: sql`SELECT ${join([...list, ...hidden(relation)], ', ')} FROM (${relation.sql})`,
    columns: columns.map(item => item.column),
  }
}

export const where = (relation: Relation, condition: Sql): Relation => ({
  ...relation,
  sql: sql`SELECT * FROM (${relation.sql}) WHERE ${condition}`,
})

/** The same rows under one fresh row number from 0, for commands that count or look at neighbours. */
export function numbered(relation: Relation): Relation {
  const columns = relation.columns.map(column => name(column.id))
  return {
    columns: relation.columns,
    order: [{ id: ROW_NUMBER }],
    sql: sql`SELECT ${join([...columns, sql`row_number() OVER (ORDER BY ${orderBy(relation)}) - 1 AS ${name(ROW_NUMBER)}`], ', ')} FROM (${relation.sql})`,
  }
}

const RESERVED = /^(_rn|_k\d+|file_row_number|filename|~\d+|)$/i

/** Ids for names: the name itself unless DuckDB would mistake it for another. */
export function identify(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map(wanted => {
    // A statement ends at a zero byte, whatever quotes are around it.
    const plain = wanted.replaceAll('\0', '~')
    let id = RESERVED.test(plain) ? `${plain}~` : plain
    for (let n = 1; taken.has(id.toLowerCase()); n++) id = `${plain}~${n}`
    taken.add(id.toLowerCase())
    return id
  })
}
