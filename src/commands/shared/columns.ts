import type { Row } from '../../language/json.ts'
import type { Path } from '../../language/values.ts'
import { doubleOf } from '../../sql/number.ts'
import { placeOf, readPath } from '../../sql/path.ts'
import { type Column, identify, orderBy, project, type Relation } from '../../sql/relation.ts'
import { join, name, type Sql, type SqlType, sql } from '../../sql/sql.ts'
import type { Typed } from '../../sql/value.ts'

/** What a table holds at a path. */
export interface Value extends Typed {
  readonly type: SqlType
}

/** A value of the table. A table without any columns is one without rows, where nothing can be missing. */
export function read(relation: Relation, path: Path): Value {
  const { columns } = relation
  const value = readPath(columns, path, { missing: columns.length === 0 ? 'null' : 'error' })
  return value as Value
}

/** The same where a column that is not there yet is to be made. */
export const readOrMissing = (relation: Relation, path: Path): Typed =>
  readPath(relation.columns, path, { missing: 'null' })

/** The same as a number, NULL where it is none. */
export const numberAt = (relation: Relation, path: Path): Sql => doubleOf(read(relation, path))

export const columnNamed = (text: string): Path => ({ text, segments: [text] })

/** A name that no column of the user's has, for a value on its way to its place. */
export const scratchName = (index: number): string => `\0${index}`

/** Where a value that was read at this path is written in a new table: a column named with dots keeps its name. */
export function sameName(relation: Relation, path: Path): Path {
  const place = placeOf(relation.columns, path)
  return place && place.below.length === 0 ? columnNamed(place.column.name) : path
}

/** The relation with these columns only. */
export function projected(
  relation: Relation,
  made: readonly (Pick<Column, 'name' | 'type'> & { readonly sql: Sql })[],
): Relation {
  const ids = identify(made.map(column => column.name))
  return project(
    relation,
    made.map((column, index) => ({
      column: { name: column.name, id: ids[index]!, type: column.type },
      sql: column.sql,
    })),
  )
}

/** The rows of a small relation, in order, as objects. */
export async function rowsOf(relation: Relation, probe: (query: Sql) => Promise<Row[]>): Promise<Row[]> {
  const list = relation.columns.map((column, index) => sql`${name(column.id)} AS ${name(`c${index}`)}`)
  const found = await probe(
    sql`SELECT ${join([...list, sql`true AS row`], ', ')} FROM (${relation.sql}) ORDER BY ${orderBy(relation)}`,
  )
  return found.map(row =>
    Object.fromEntries(
      relation.columns.flatMap((column, index) => {
        const value = row[`c${index}`] ?? null
        return value === null ? [] : [[column.name, value]]
      }),
    ),
  )
}
