import { wholeOf } from '../number.ts'
import { pointerTo } from '../path.ts'
import { attempt, join, lambda, once, type Sql, sql } from '../sql.ts'
import { jsonOf, textOf } from '../text.ts'
import { booleanOf, conditionOf } from '../truth.ts'
import { unify } from '../unify.ts'
import { shared, type Typed, total, typed, type ValueType } from '../value.ts'
import type { Implementation, Implementations } from './implementation.ts'

const choice: Implementation = ([condition, then, otherwise]) => {
  const { type, values } = unify([then!, otherwise!])
  return typed(sql`CASE WHEN ${conditionOf(condition!)} THEN ${values[0]!} ELSE ${values[1]!} END`, type)
}

export function coalesce(args: readonly Typed[]): Typed {
  const { type, values } = unify(args)
  return typed(sql`coalesce(${join(values, ', ')})`, type)
}

const isEmpty: Implementation = ([value]) => {
  if (value!.type === 'VARCHAR') return total(sql`(coalesce(${value!.sql}, '') = '')`)
  if (value!.type === 'LIST') return total(sql`(coalesce(len(${value!.sql}), 0) = 0)`)
  if (value!.type === 'JSON') return total(sql`(coalesce(${textOf(value!)}, '') IN ('', '[]', '{}'))`)
  return total(sql`(${value!.sql} IS NULL)`)
}

const TYPE_NAMES: Readonly<Record<Exclude<ValueType, 'JSON'>, Sql>> = {
  BIGINT: sql`'number'`,
  DOUBLE: sql`'number'`,
  VARCHAR: sql`'string'`,
  BOOLEAN: sql`'boolean'`,
  TIMESTAMP: sql`'string'`,
  LIST: sql`'array'`,
}

const typeOf: Implementation = ([value]) => {
  if (value!.type !== 'JSON')
    return typed(
      sql`CASE WHEN ${value!.sql} IS NULL THEN 'null' ELSE ${TYPE_NAMES[value!.type]} END`,
      'VARCHAR',
    )
  return typed(
    sql`CASE coalesce(json_type(${value!.sql}), 'NULL') WHEN 'NULL' THEN 'null' WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean' WHEN 'ARRAY' THEN 'array' WHEN 'OBJECT' THEN 'object' ELSE 'number' END`,
    'VARCHAR',
  )
}

const keys: Implementation = ([value]) => {
  if (value!.type !== 'JSON') return typed(sql`NULL::JSON[]`, 'LIST')
  return typed(
    shared(
      value!,
      v =>
        sql`CASE WHEN json_type(${v.sql}) = 'OBJECT' THEN list_transform(json_keys(${v.sql}), ${lambda(key => sql`to_json(${key})`)}) END`,
    ),
    'LIST',
  )
}

/** DuckDB's reader also takes NaN and Infinity, which nobody else does: a word of theirs outside of quotes is refused. */
const NOT_A_NUMBER = sql`'(?i)^(?:[^"]|"(?:[^"\\\\]|\\\\.)*")*?(?:nan|inf)'`

/** `json()` also takes the white space out, so that a row stays on its line. */
const parseJson = (text: Sql): Sql =>
  attempt(
    text,
    t => sql`CASE WHEN regexp_matches(${t}, ${NOT_A_NUMBER}) THEN NULL ELSE nullif(json(${t}), 'null') END`,
  )

const at: Implementation = ([value, key]) => {
  const json = jsonOf(value!)
  const given = key!.constant
  const negative = typeof given === 'number' && given < 0
  if (given !== undefined && given !== null && !negative)
    return typed(
      once(json, j => sql`nullif(${j} -> ${pointerTo([String(given)])}, 'null')`),
      'JSON',
    )
  return typed(
    once(json, j => sql`nullif(json_extract(${j}, ${pointer(j, key!)}), 'null')`),
    'JSON',
  )
}

/** A computed key: a negative number counts from the end of a list. */
const pointer = (json: Sql, key: Typed): Sql => {
  const text = sql`'/' || replace(replace(${textOf(key)}, '~', '~0'), '/', '~1')`
  if (key.type === 'VARCHAR') return text
  return once(
    wholeOf(key),
    k => sql`CASE WHEN ${k} < 0 THEN '/' || (json_array_length(${json}) + ${k})::VARCHAR ELSE ${text} END`,
  )
}

export const VALUES: Implementations = {
  if: choice,
  string: ([value]) => typed(textOf(value!), 'VARCHAR'),
  bool: ([value]) => booleanOf(value!),
  coalesce,
  isnull: ([value]) => total(sql`(${value!.sql} IS NULL)`),
  isempty: isEmpty,
  typeof: typeOf,
  keys,
  json: ([value]) => typed(sql`${jsonOf(value!)}::VARCHAR`, 'VARCHAR'),
  parsejson: ([value]) => typed(parseJson(textOf(value!)), 'JSON'),
  at,
}
