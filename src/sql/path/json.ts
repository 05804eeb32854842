import { bind, integer, join, lambda, literal, once, type Sql, sql } from '../sql.ts'
import { pointerTo } from './read.ts'

/** JSON documents changed inside SQL. `json_merge_patch` would be faster but drops nulls inside what it patches. */

const isIndex = (segment: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(segment)

const isA = (document: Sql, type: 'OBJECT' | 'ARRAY'): Sql => sql`json_type(${document}) = ${literal(type)}`

const membersOf = (object: Sql): Sql => sql`map_entries(from_json(${object}, '"MAP(VARCHAR,JSON)"'))`
const itemsOf = (array: Sql): Sql => sql`from_json(${array}, '["JSON"]')`

/** `"key":value`; NULL, and so left out by `string_agg`, when there is no value. */
const member = (key: Sql, value: Sql): Sql => sql`to_json(${key})::VARCHAR || ':' || (${value})::VARCHAR`

const unchangedMember = (entry: Sql): Sql => member(sql`${entry}.key`, sql`coalesce(${entry}.value, 'null')`)

/**
 * Made by hand and not by a map, which refuses the documents that name a key twice. `array_to_string` and `nullif` are
 * macros that repeat their argument: at every level of a path they would double the work.
 */
const object = (members: Sql): Sql =>
  sql`('{' || coalesce(list_aggregate(${members}, 'string_agg', ','), '') || '}')::JSON`

/**
 * The document with a value at the end of these segments. What cannot hold a key (a number, a list under a name) is
 * replaced by an object; an index past the end of a list adds to it; NULL takes the key away, as missing and null are
 * the same.
 */
export function setIn(document: Sql, segments: readonly string[], value: Sql): Sql {
  const [segment, ...rest] = segments
  if (segment === undefined) return value
  return once(document, whole => {
    const child =
      rest.length > 0 ? setIn(sql`nullif(${whole} -> ${pointerTo([segment])}, 'null')`, rest, value) : value
    return once(child, inner => {
      const inObject = sql`CASE WHEN ${isA(whole, 'OBJECT')} THEN ${setMember(whole, segment, inner)} WHEN ${inner} IS NULL THEN ${whole} ELSE ${object(sql`[${member(bind(segment, 'VARCHAR'), inner)}]`)} END`
      if (!isIndex(segment)) return inObject
      return sql`CASE WHEN ${isA(whole, 'ARRAY')} THEN ${setItem(whole, segment, inner)} ELSE ${inObject} END`
    })
  })
}

function setMember(whole: Sql, segment: string, value: Sql): Sql {
  const key = bind(segment, 'VARCHAR')
  const kept = sql`list_transform(${membersOf(whole)}, ${lambda(
    entry =>
      sql`CASE WHEN ${entry}.key = ${key} THEN ${member(key, value)} ELSE ${unchangedMember(entry)} END`,
  )})`
  const added = sql`[CASE WHEN NOT list_contains(json_keys(${whole}), ${key}) THEN ${member(key, value)} END]`
  return object(sql`list_concat(${kept}, ${added})`)
}

function setItem(whole: Sql, segment: string, value: Sql): Sql {
  const position = integer(Number(segment) + 1)
  const replaced = sql`list_transform(${itemsOf(whole)}, ${lambda(
    (item, at) => sql`CASE WHEN ${at} = ${position} THEN ${value} ELSE ${item} END`,
  )})`
  const longer = sql`list_append(${itemsOf(whole)}, ${value})`
  return sql`CASE WHEN json_array_length(${whole}) >= ${position} THEN to_json(${replaced}) WHEN ${value} IS NULL THEN ${whole} ELSE to_json(${longer}) END`
}

/** The document without what stands at the end of these segments; the items behind it move up. */
export function deleteIn(document: Sql, segments: readonly string[]): Sql {
  const [segment, ...rest] = segments
  if (segment === undefined) return sql`NULL::JSON`
  return once(document, whole => {
    const fromList = isIndex(segment)
      ? sql`WHEN ${isA(whole, 'ARRAY')} THEN ${deleteItem(whole, segment, rest)}`
      : sql``
    return sql`CASE WHEN ${isA(whole, 'OBJECT')} THEN ${deleteMember(whole, segment, rest)} ${fromList} ELSE ${whole} END`
  })
}

function deleteMember(whole: Sql, segment: string, rest: readonly string[]): Sql {
  const key = bind(segment, 'VARCHAR')
  const inner = (entry: Sql): Sql =>
    rest.length > 0 ? member(key, sql`coalesce(${deleteIn(sql`${entry}.value`, rest)}, 'null')`) : sql`NULL`
  return object(
    sql`list_transform(${membersOf(whole)}, ${lambda(
      entry => sql`CASE WHEN ${entry}.key = ${key} THEN ${inner(entry)} ELSE ${unchangedMember(entry)} END`,
    )})`,
  )
}

function deleteItem(whole: Sql, segment: string, rest: readonly string[]): Sql {
  const position = integer(Number(segment) + 1)
  if (rest.length === 0)
    return sql`to_json(list_filter(${itemsOf(whole)}, ${lambda((_item, at) => sql`${at} <> ${position}`)}))`
  return sql`to_json(list_transform(${itemsOf(whole)}, ${lambda(
    (item, at) => sql`CASE WHEN ${at} = ${position} THEN ${deleteIn(item, rest)} ELSE ${item} END`,
  )}))`
}

/** What is to be kept of a document: all of it, or these parts. */
export type Selection = 'all' | ReadonlyMap<string, Selection>

/** Only the selected parts, in the order of the selection; NULL when none of them is there. */
export function selectIn(document: Sql, selection: Selection): Sql {
  if (selection === 'all') return document
  return once(document, whole => {
    const indexes = [...selection].filter(([segment]) => isIndex(segment))
    const fromList =
      indexes.length > 0 ? sql`WHEN ${isA(whole, 'ARRAY')} THEN ${selectItems(whole, indexes)}` : sql``
    return sql`CASE WHEN ${isA(whole, 'OBJECT')} THEN ${selectMembers(whole, selection)} ${fromList} END`
  })
}

function selectMembers(whole: Sql, selection: ReadonlyMap<string, Selection>): Sql {
  const members = [...selection].map(([segment, inner]) =>
    member(bind(segment, 'VARCHAR'), selectIn(sql`${whole} -> ${pointerTo([segment])}`, inner)),
  )
  return once(
    object(sql`[${join(members, ', ')}]`),
    found => sql`CASE WHEN ${found} <> '{}' THEN ${found} END`,
  )
}

/** Items keep their numbers: those before and between the selected ones become null. */
function selectItems(whole: Sql, indexes: readonly (readonly [string, Selection])[]): Sql {
  const last = Math.max(...indexes.map(([segment]) => Number(segment)))
  const cases = indexes.map(
    ([segment, inner]) =>
      (item: Sql) =>
        sql`WHEN ${integer(Number(segment) + 1)} THEN ${selectIn(item, inner)}`,
  )
  const picked = sql`list_transform(${itemsOf(whole)}[1:${integer(last + 1)}], ${lambda(
    (item, at) =>
      sql`CASE ${at} ${join(
        cases.map(make => make(item)),
        ' ',
      )} END`,
  )})`
  return once(
    picked,
    items =>
      sql`CASE WHEN len(list_filter(${items}, ${lambda(item => sql`${item} IS NOT NULL`)})) > 0 THEN to_json(${items}) END`,
  )
}
