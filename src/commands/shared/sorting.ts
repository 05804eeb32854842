import type { Row } from '../../language/json.ts'
import type { Path } from '../../language/values.ts'
import { doubleOf } from '../../sql/number.ts'
import { type Relation, where } from '../../sql/relation.ts'
import { bind, join, name, type Scalar, type Sql, type SqlType, sql } from '../../sql/sql.ts'
import { textOf } from '../../sql/text.ts'
import { read, type Value } from './columns.ts'

type Probe = (query: Sql) => Promise<Row[]>

/** How values compare: as they are, as whole numbers, as numbers, as text. */
type Comparison = 'plain' | 'integer' | 'number' | 'text'

/** What to sort by for each column. Columns whose type does not tell whether all values are numbers are looked at. */
export async function sortKeys(
  relation: Relation,
  paths: readonly Path[],
  textOnly: boolean,
  probe: Probe,
): Promise<Sql[]> {
  const values = paths.map(path => read(relation, path))
  const comparisons = textOnly ? values.map(() => 'text' as const) : await compare(relation, values, probe)
  return values.map((value, index) => keyOf(value, comparisons[index]!))
}

/** The rows in which a column has its smallest or largest value. */
export async function extremeRows(
  relation: Relation,
  path: Path,
  which: 'min' | 'max',
  probe: Probe,
): Promise<Relation> {
  const value = read(relation, path)
  const [comparison] = await compare(relation, [value], probe)
  const key = keyOf(value, comparison!)
  const extreme = which === 'min' ? sql`min(v)` : sql`max(v)`
  const [found] = await probe(sql`SELECT ${extreme} AS v FROM (SELECT ${key} AS v FROM (${relation.sql}))`)
  const limit = bind((found?.v ?? null) as Scalar, TYPES[comparison!] ?? value.type)
  return where(relation, sql`coalesce(${key} = ${limit}, false)`)
}

const TYPES: Partial<Record<Comparison, SqlType>> = { integer: 'BIGINT', number: 'DOUBLE', text: 'VARCHAR' }

async function compare(relation: Relation, values: readonly Value[], probe: Probe): Promise<Comparison[]> {
  const unknown = values.flatMap((value, index) =>
    value.type === 'VARCHAR' || value.type === 'JSON' ? [index] : [],
  )
  if (unknown.length === 0) return values.map(() => 'plain')
  const looks = unknown.flatMap(index => {
    const [number, text] = [doubleOf(values[index]!), textOf(values[index]!)]
    return [
      sql`bool_and(${number} IS NOT NULL) FILTER (WHERE ${text} IS NOT NULL) AS ${name(`n${index}`)}`,
      sql`bool_and(regexp_full_match(${text}, '-?\\d{1,18}')) FILTER (WHERE ${text} IS NOT NULL) AS ${name(`i${index}`)}`,
    ]
  })
  const [found] = await probe(sql`SELECT ${join(looks, ', ')} FROM (${relation.sql})`)
  return values.map((_, index): Comparison => {
    if (!unknown.includes(index)) return 'plain'
    if (!found?.[`n${index}`]) return 'text'
    return found[`i${index}`] ? 'integer' : 'number'
  })
}

function keyOf(value: Value, comparison: Comparison): Sql {
  if (comparison === 'text') return textOf(value)
  if (comparison === 'number') return doubleOf(value)
  // Long integers in text would lose their last digits as doubles.
  return comparison === 'integer' ? sql`try_cast(${textOf(value)} AS BIGINT)` : value.sql
}
