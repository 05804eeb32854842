import type { Row } from '../../language/json.ts'
import type { Path } from '../../language/values.ts'
import { deleteIn } from '../../sql/path/json.ts'
import { placeOf } from '../../sql/path.ts'
import { type Column, type Relation, ROW_NUMBER } from '../../sql/relation.ts'
import { type Field, objectText } from '../../sql/rows.ts'
import { join, literal, name, type Sql, sql } from '../../sql/sql.ts'
import { jsonOf } from '../../sql/text.ts'
import { unionAll } from '../../sql/union.ts'
import { type Typed, typed } from '../../sql/value.ts'
import { projected, read, readOrMissing } from './columns.ts'

export interface ComparisonOptions {
  readonly name: string
  /** Empty: the whole row is the key. */
  readonly key: readonly Path[]
  readonly ignore: readonly Path[]
}

export interface Baseline {
  readonly relation: Relation
  readonly version: string
}

type Probe = (query: Sql) => Promise<Row[]>

const DIFF = '_diff'

/** Whether the rows hold some that failed in an earlier stage. */
export async function failedRows(relation: Relation, probe: Probe): Promise<boolean> {
  const column = relation.columns.find(candidate => candidate.name === '_error')
  if (!column) return false
  const found = await probe(
    sql`SELECT 1 AS n FROM (${relation.sql}) WHERE ${name(column.id)} IS NOT NULL LIMIT 1`,
  )
  return found.length > 0
}

/** A key that several rows have, if there is one. */
export async function repeatedKeys(
  relation: Relation,
  options: ComparisonOptions,
  probe: Probe,
): Promise<{ readonly key: string }[]> {
  const { key } = comparable(relation, options, 'current')
  const found = await probe(
    sql`SELECT k FROM (SELECT ${key} AS k FROM (${relation.sql})) GROUP BY k HAVING count(*) > 1 LIMIT 1`,
  )
  return found.map(row => ({ key: String(row.k) }))
}

/** The rows with what became of each since the baseline, and at the end those that are gone. */
export function changes(
  current: Relation,
  baseline: Baseline | undefined,
  options: ComparisonOptions,
  shown: { readonly removed: boolean; readonly unchanged: boolean },
): Relation {
  const here = sideOf(current, 'l', options, 'current')
  const there = sideOf(baseline?.relation ?? NOTHING, 'r', options, 'before')
  const version = baseline?.version ?? ''
  const kind = sql`CASE WHEN rk IS NULL THEN 'added' WHEN lt <> rt THEN 'changed' ELSE 'unchanged' END`
  const matched = sql`SELECT * FROM (${here.sql}) LEFT JOIN (${there.sql}) ON lk = rk`
  const rows = {
    sql: shown.unchanged ? matched : sql`SELECT * FROM (${matched}) WHERE ${kind} <> 'unchanged'`,
    columns: here.columns,
    order: [{ id: 'l_rn' }],
  }
  const present = withDiff(rows, diffText(kind, valuesBefore(here, there), idOf(options, version, kind, 'l')))
  if (!shown.removed) return present
  const gone = {
    sql: sql`SELECT * FROM (${there.sql}) ANTI JOIN (SELECT lk FROM (${here.sql})) ON lk = rk`,
    columns: there.columns,
    order: [{ id: 'r_rn' }],
  }
  const removed = literal('removed')
  return unionAll(present, withDiff(gone, diffText(removed, sql`NULL`, idOf(options, version, removed, 'r'))))
}

/** Without columns none can be missing. */
const NOTHING: Relation = {
  sql: sql`SELECT 0 AS ${name(ROW_NUMBER)} WHERE false`,
  columns: [],
  order: [{ id: ROW_NUMBER }],
}

interface Side {
  readonly sql: Sql
  readonly columns: readonly Column[]
  /** What counts of it, by the names of its columns. */
  readonly values: ReadonlyMap<string, Typed>
}

/** The rows under ids that the other side does not use, with the key (`lk`), a digest of what counts (`lt`) and the place. */
function sideOf(
  relation: Relation,
  letter: 'l' | 'r',
  options: ComparisonOptions,
  which: 'current' | 'before',
): Side {
  const columns = relation.columns.map((column, index) => ({ ...column, id: `${letter}${index}` }))
  const { key, text } = comparable(relation, options, which)
  const list = [
    ...relation.columns.map((column, index) => sql`${name(column.id)} AS ${name(columns[index]!.id)}`),
    sql`${key} AS ${name(`${letter}k`)}`,
    sql`sha256(${text}) AS ${name(`${letter}t`)}`,
    // Both are files: their rows have numbers.
    sql`${name(ROW_NUMBER)} AS ${name(`${letter}_rn`)}`,
  ]
  return {
    sql: sql`SELECT ${join(list, ', ')} FROM (${relation.sql})`,
    columns,
    values: countingValues(columns, options.ignore),
  }
}

/** The key of a row as text, and the text of all that counts of it, whatever order its columns are in. */
function comparable(relation: Relation, { key, ignore }: ComparisonOptions, which: 'current' | 'before') {
  const fields = [...countingValues(relation.columns, ignore)]
    .map(([column, value]): Field => ({ key: column, value }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
  const text = objectText(fields)
  if (key.length === 0) return { key: sql`sha256(${text})`, text }
  const keys = key.map(path => (which === 'current' ? read(relation, path) : readOrMissing(relation, path)))
  const items = keys.map(value => sql`coalesce(${jsonOf(value)}::VARCHAR, 'null')`)
  return { key: sql`'[' || concat_ws(',', ${join(items, ', ')}) || ']'`, text }
}

/** Columns with `_` and those that are ignored do not count; of one that is ignored in part, the rest does. */
function countingValues(columns: readonly Column[], ignore: readonly Path[]): Map<string, Typed> {
  const values = new Map<string, Typed>()
  const places = ignore.flatMap(path => placeOf(columns, path) ?? [])
  for (const column of columns) {
    const parts = places.filter(place => place.column === column)
    if (column.name.startsWith('_') || parts.some(({ below }) => below.length === 0)) continue
    const cut = column.type === 'JSON' ? parts : []
    const value = cut.reduce((json, { below }) => deleteIn(json, below), name(column.id))
    values.set(column.name, typed(value, column.type))
  }
  return values
}

/** The old values of the columns that are not as they were, as the text of a JSON object; missing ones are null. */
function valuesBefore(here: Side, there: Side): Sql {
  const names = [...new Set([...here.values.keys(), ...there.values.keys()])]
  const json = (value: Typed | undefined) => (value ? sql`${jsonOf(value)}::VARCHAR` : sql`NULL::VARCHAR`)
  const parts = names.map(column => {
    const before = json(there.values.get(column))
    const differs = sql`${json(here.values.get(column))} IS DISTINCT FROM ${before}`
    const key = literal(`,${JSON.stringify(column.toWellFormed())}:`)
    return sql`CASE WHEN ${differs} THEN ${key} || coalesce(${before}, 'null') END`
  })
  if (parts.length === 0) return sql`NULL`
  return sql`CASE WHEN rk IS NOT NULL AND lt <> rt THEN '{' || substr(concat(${join(parts, ', ')}), 2) || '}' END`
}

/** The same for the same change against the same baseline, whichever run finds it. */
const idOf = ({ name: diff }: ComparisonOptions, version: string, kind: Sql, side: 'l' | 'r'): Sql =>
  sql`sha256(concat_ws(chr(10), ${literal(diff)}, ${literal(version)}, ${kind}, ${name(`${side}k`)}, ${name(`${side}t`)}))`

const diffText = (kind: Sql, before: Sql, id: Sql): Sql =>
  sql`concat('{"kind":"', ${kind}, '"', ',"before":' || ${before}, ',"id":"', ${id}, '"}')::JSON`

function withDiff(relation: Relation, diff: Sql): Relation {
  const columns = relation.columns
    .filter(column => column.name !== DIFF)
    .map(column => ({ name: column.name, type: column.type, sql: name(column.id) }))
  return projected(relation, [...columns, { name: DIFF, type: 'JSON', sql: diff }])
}
