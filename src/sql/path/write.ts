import type { Path } from '../../language/values.ts'
import { UnknownColumn } from '../errors.ts'
import { type Column, identify, project, type Relation } from '../relation.ts'
import { name, type Sql, type SqlType, sql } from '../sql.ts'
import { jsonOf, storable } from '../text.ts'
import { type Typed, typed } from '../value.ts'
import { deleteIn, setIn } from './json.ts'
import { placeOf, type ReadOptions } from './read.ts'

interface NamedValue {
  readonly name: string
  readonly type: SqlType
  readonly sql: Sql
  readonly numericText?: boolean
}

const asItIs = (column: Column): NamedValue => ({ ...column, sql: name(column.id) })

/** The relation with these columns under ids that DuckDB cannot mistake. */
function withColumns(relation: Relation, values: readonly NamedValue[]): Relation {
  const ids = identify(values.map(value => value.name))
  return project(
    relation,
    values.map(({ name: columnName, type, sql: value, numericText }, index) => ({
      column: { name: columnName, id: ids[index]!, type, ...(numericText && { numericText }) },
      sql: value,
    })),
  )
}

/** The relation with a value at a path: a column in its old place or a new one at the end, or a part inside one. */
export function writePath(relation: Relation, path: Path, value: Typed): Relation {
  const place = placeOf(relation.columns, path)
  const columns = relation.columns.map(asItIs)
  if (place) {
    const written =
      place.below.length === 0
        ? stored(value)
        : {
            type: 'JSON' as const,
            sql: setIn(jsonOf(typed(name(place.column.id), place.column.type)), place.below, jsonOf(value)),
          }
    return withColumns(
      relation,
      columns.map(column => (column.name === place.column.name ? { name: column.name, ...written } : column)),
    )
  }
  const [first, ...below] = path.segments
  const added =
    below.length === 0
      ? stored(value)
      : { type: 'JSON' as const, sql: setIn(sql`NULL::JSON`, below, jsonOf(value)) }
  return withColumns(relation, [...columns, { name: first!, ...added }])
}

function stored(value: Typed): { readonly type: SqlType; readonly sql: Sql } {
  const result = storable(value)
  return { type: result.type as SqlType, sql: result.sql }
}

/** The relation without what is at a path: a column, or a part inside one. */
export function deletePath(relation: Relation, path: Path, options: ReadOptions = {}): Relation {
  const place = placeOf(relation.columns, path)
  if (!place) {
    if (options.missing === 'null') return relation
    throw new UnknownColumn(
      path.text,
      relation.columns.map(column => column.name),
      options.span,
    )
  }
  const { column: target, below } = place
  const columns = relation.columns.map(asItIs)
  if (below.length === 0)
    return withColumns(
      relation,
      columns.filter(column => column.name !== target.name),
    )
  if (target.type !== 'JSON') return relation
  return withColumns(
    relation,
    columns.map(column =>
      column.name === target.name ? { ...column, sql: deleteIn(column.sql, below) } : column,
    ),
  )
}
