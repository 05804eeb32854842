import { doubleOf } from './number.ts'
import { type Sql, sql } from './sql.ts'
import { jsonOf, textOf } from './text.ts'
import type { Typed, ValueType } from './value.ts'

/** Several values under one type, for where SQL wants that: CASE, coalesce. Kinds that do not mix become JSON. */
export function unify(values: readonly Typed[]): {
  readonly type: ValueType
  readonly values: readonly Sql[]
} {
  const kinds = new Set(values.filter(value => value.constant !== null).map(value => value.type))
  // A whole number that the query holds fits a double; those of a column might lose digits.
  const written = values.every(value => value.type !== 'BIGINT' || Number.isSafeInteger(value.constant))
  if (written && kinds.has('DOUBLE')) kinds.delete('BIGINT')
  const type = common(kinds)
  return { type, values: values.map(value => convert(value, type)) }
}

function common(kinds: ReadonlySet<ValueType>): ValueType {
  const [first] = kinds
  if (first === undefined) return 'VARCHAR'
  if (kinds.size === 1) return first
  const all = [...kinds]
  if (all.every(kind => kind === 'VARCHAR' || kind === 'TIMESTAMP')) return 'VARCHAR'
  return 'JSON'
}

function convert(value: Typed, type: ValueType): Sql {
  if (value.constant === null) return sql`NULL`
  if (value.type === type) return value.sql
  if (type === 'DOUBLE') return doubleOf(value)
  return type === 'VARCHAR' ? textOf(value) : jsonOf(value)
}
