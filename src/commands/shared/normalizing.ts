import type { Path } from '../../language/values.ts'
import { fromJsonText, jsonKind, typeOfKinds } from '../../sql/json-kinds.ts'
import { freshKeys } from '../../sql/order.ts'
import { deletePath, pointerTo } from '../../sql/path.ts'
import { hidden, type Relation } from '../../sql/relation.ts'
import { integer, join, name, type Sql, type SqlType, sql } from '../../sql/sql.ts'
import { jsonOf } from '../../sql/text.ts'
import { type Typed, typed } from '../../sql/value.ts'
import type { ReduceContext } from '../command.ts'
import { CommandFailure } from '../failure.ts'
import { projected, read, scratchName } from './columns.ts'

type Tools = Pick<ReduceContext<unknown>, 'materialize' | 'probe'>

/** A table holds about a thousand columns, and nobody reads more. */
const MOST_COLUMNS = 1000
const ITEM = scratchName(0)

/** A row for each item of the array at a path. Looks at all items first, to know their keys and types. */
export async function normalized(input: Relation, path: Path, tools: Tools): Promise<Relation> {
  if (read(input, path).type !== 'JSON') return input
  const rows = itemRows(await tools.materialize(input), path)
  const types = await keyTypes(rows, tools)
  const single = await singleType(rows, tools)
  return withParts(deletePath(rows, path), types, single && { name: path.segments.at(-1)!, type: single })
}

/** The rows of the input, once for each item, which is a column beside the others; once without an item where there is none. */
function itemRows(source: Relation, path: Path): Relation {
  const [list, place, item] = freshKeys(source.order, 3)
  const value = read(source, path).sql
  const made = sql`CASE WHEN ${value} IS NULL OR ${value} = '[]' THEN [NULL::JSON] WHEN json_type(${value}) = 'ARRAY' THEN from_json(${value}, '["JSON"]') ELSE [${value}] END`
  const columns = source.columns.map(column => name(column.id))
  const unnested = [
    sql`nullif(unnest(${name(list!)}), 'null') AS ${name(item!)}`,
    sql`generate_subscripts(${name(list!)}, 1) AS ${name(place!)}`,
  ]
  return {
    columns: [...source.columns, { name: ITEM, id: item!, type: 'JSON' }],
    order: [...source.order, { id: place! }],
    sql: sql`SELECT ${join([...columns, ...unnested, ...hidden(source)], ', ')} FROM (SELECT *, ${made} AS ${name(list!)} FROM (${source.sql}))`,
  }
}

const itemOf = (rows: Relation): Sql => name(rows.columns.find(column => column.name === ITEM)!.id)

/** The keys of the items that are objects, in the order in which they first appear, with their types. */
async function keyTypes(rows: Relation, { probe }: Tools): Promise<Map<string, SqlType>> {
  const item = itemOf(rows)
  const entries = sql`SELECT map_entries(from_json(${item}, '"MAP(VARCHAR,JSON)"')) AS e, {${join(
    rows.order.map((term, index) => sql`${name(`o${index}`)}: ${name(term.id)}`),
    ', ',
  )}} AS o FROM (${rows.sql}) WHERE json_type(${item}) = 'OBJECT'`
  const keys = sql`SELECT unnest(e) AS e, generate_subscripts(e, 1) AS p, o FROM (${entries})`
  const found = await probe(
    sql`SELECT e.key AS key, bit_or(${jsonKind(sql`e.value`)}) AS kinds FROM (${keys}) GROUP BY 1 ORDER BY min({'o': o, 'p': p}) LIMIT ${integer(MOST_COLUMNS + 1)}`,
  )
  if (found.length > MOST_COLUMNS)
    throw new CommandFailure('too_many_columns', `The items have more than ${MOST_COLUMNS} different keys.`, {
      hint: 'Keep what varies inside one column, or take out the parts that are needed with eval.',
    })
  return new Map(found.map(row => [String(row.key), typeOfKinds(Number(row.kinds))]))
}

/** The type of the items that are no objects, if there are any. */
async function singleType(rows: Relation, { probe }: Tools): Promise<SqlType | undefined> {
  const item = itemOf(rows)
  const [found] = await probe(
    sql`SELECT bit_or(${jsonKind(item)}) AS kinds FROM (${rows.sql}) WHERE json_type(${item}) <> 'OBJECT'`,
  )
  const kinds = found?.kinds ?? null
  return kinds === null ? undefined : typeOfKinds(Number(kinds))
}

/** The rows with the parts of their items as columns. One that the table has already keeps its place. */
function withParts(
  rows: Relation,
  types: ReadonlyMap<string, SqlType>,
  single: { readonly name: string; readonly type: SqlType } | undefined,
): Relation {
  const item = itemOf(rows)
  const { relation, values } = keyValues(rows, types)
  if (single) {
    const value = singleValue(item, single.type)
    values.set(single.name, either(values.get(single.name), value))
  }
  const kept = relation.columns.filter(column => column.name !== ITEM)
  const columns = new Map<string, Typed>(
    kept.map(column => [column.name, typed(name(column.id), column.type)]),
  )
  for (const [part, value] of values) {
    const copied = columns.get(part)
    columns.set(part, copied ? either(value, copied) : value)
  }
  return projected(
    relation,
    [...columns].map(([part, value]) => ({ name: part, type: value.type as SqlType, sql: value.sql })),
  )
}

/** All keys of one kind are read in one go, each a place in a list: an item is parsed twice, not once for every key. */
function keyValues(rows: Relation, types: ReadonlyMap<string, SqlType>) {
  const [texts, jsons] = freshKeys(rows.order, 2).map(name) as [Sql, Sql]
  const plain = [...types].filter(([, type]) => type !== 'JSON').map(([key]) => key)
  const nested = [...types].filter(([, type]) => type === 'JSON').map(([key]) => key)
  const item = itemOf(rows)
  const lists = [
    ...(plain.length > 0 ? [sql`${item} ->> ${pointers(plain)} AS ${texts}`] : []),
    ...(nested.length > 0 ? [sql`${item} -> ${pointers(nested)} AS ${jsons}`] : []),
  ]
  const values = new Map<string, Typed>()
  for (const [key, type] of types) {
    const value =
      type === 'JSON'
        ? sql`nullif(${jsons}[${integer(nested.indexOf(key) + 1)}], 'null')`
        : fromJsonText(sql`${texts}[${integer(plain.indexOf(key) + 1)}]`, type)
    values.set(key, typed(value, type))
  }
  const relation = { ...rows, sql: sql`SELECT ${join([sql`*`, ...lists], ', ')} FROM (${rows.sql})` }
  return { relation, values }
}

const pointers = (keys: readonly string[]): Sql =>
  sql`[${join(
    keys.map(key => pointerTo([key])),
    ', ',
  )}]`

function singleValue(item: Sql, type: SqlType): Typed {
  const value = type === 'JSON' ? item : fromJsonText(sql`(${item} ->> '$')`, type)
  return typed(sql`CASE WHEN json_type(${item}) <> 'OBJECT' THEN ${value} END`, type)
}

function either(first: Typed | undefined, second: Typed): Typed {
  if (!first) return second
  if (first.type === second.type) return typed(sql`coalesce(${first.sql}, ${second.sql})`, first.type)
  return typed(sql`coalesce(${jsonOf(first)}, ${jsonOf(second)})`, 'JSON')
}
