import type { Column, Relation } from '../relation.ts'
import { integer, join, name, type Sql, sql } from '../sql.ts'
import { ARRAY, byColumn, EMPTY, hasNothing, kindOf, OBJECT, type Probe, pointers, Tree } from './tree.ts'

/** Deeper than any data of use; the parts below stay JSON. */
const DEEPEST = 32
/** More keys than one object has; a row's number and a key's place in it make one number to order by. */
const KEYS_PER_OBJECT = 1_000_000

/**
 * Looks at all rows, level by level: at each, every JSON column is parsed twice, however many places it has there.
 * Undefined when there would be more columns than `most`.
 */
export async function discover(relation: Relation, probe: Probe, most: number): Promise<Tree[] | undefined> {
  const trees = relation.columns.map(column => new Tree(column, []))
  let parents: Tree[] = []
  let level = trees.filter(tree => tree.column.type === 'JSON')
  for (let depth = 0; level.length > 0; depth++) {
    if (level.length > most) return undefined
    await lookAtKinds(relation, parents, level, probe)
    parents = depth < DEEPEST ? level.filter(tree => tree.kinds & (OBJECT | ARRAY)) : []
    await lookInside(relation, parents, probe, most)
    level = parents.flatMap(tree => tree.children)
  }
  return trees
}

/**
 * Which kinds of value stand at each place of the level, and which of its parents are empty in some row: those have
 * none of the children. One parse of each column for all its places together; rows that are alike are judged once.
 */
async function lookAtKinds(
  relation: Relation,
  parents: readonly Tree[],
  level: readonly Tree[],
  probe: Probe,
): Promise<void> {
  const groups = byColumn([...parents, ...level])
  const lists = groups.map(
    ([column, trees], group) =>
      sql`json_type(${name(column.id)}, ${pointers(trees)}) AS ${name(`t${group}`)}`,
  )
  const types = new Map(
    groups.flatMap(([, trees], group) =>
      trees.map((tree, index) => [tree, sql`${name(`t${group}`)}[${integer(index + 1)}]`] as const),
    ),
  )
  const kinds = level.map((tree, index) => {
    const type = types.get(tree)!
    return sql`bit_or(${kindOf(type)}) FILTER (WHERE ${type} IS NOT NULL) AS ${name(`k${index}`)}`
  })
  const empty = parents.map((tree, index) => sql`bool_or(${hasNothing(tree, types)}) AS ${name(`e${index}`)}`)
  const [row] = await probe(
    sql`SELECT ${join([...kinds, ...empty], ', ')} FROM (SELECT DISTINCT ${join(lists, ', ')} FROM (${relation.sql}))`,
  )
  for (const [index, tree] of level.entries()) tree.kinds = Number(row?.[`k${index}`] ?? 0)
  for (const [index, tree] of parents.entries()) if (row?.[`e${index}`]) tree.kinds |= EMPTY
}

/** The keys of objects and the lengths of arrays. */
async function lookInside(
  relation: Relation,
  level: readonly Tree[],
  probe: Probe,
  most: number,
): Promise<void> {
  const segments = new Map(level.map(tree => [tree, new Set<string>()]))
  for (const [column, trees] of byColumn(level.filter(tree => tree.kinds & OBJECT)))
    for (const row of await probe(keysOf(relation, column, trees, most)))
      segments.get(trees[Number(row.place)]!)!.add(String(row.key))
  const arrays = level.filter(tree => tree.kinds & ARRAY)
  const [lengths] = arrays.length > 0 ? await probe(lengthsOf(relation, arrays)) : []
  for (const [index, tree] of arrays.entries()) {
    const length = Math.min(Number(lengths?.[`l${index}`] ?? 0), most + 1)
    for (let at = 0; at < length; at++) segments.get(tree)!.add(String(at))
  }
  for (const [tree, found] of segments) tree.grow([...found])
}

function lengthsOf(relation: Relation, level: readonly Tree[]): Sql {
  const groups = byColumn(level)
  const places = new Map(groups.flatMap(([, trees], group) => trees.map((tree, at) => [tree, { group, at }])))
  const lists = groups.map(
    ([column, trees], group) =>
      sql`json_array_length(${name(column.id)}, ${pointers(trees)}) AS ${name(`a${group}`)}`,
  )
  const longest = level.map((tree, index) => {
    const { group, at } = places.get(tree)!
    return sql`max(${name(`a${group}`)}[${integer(at + 1)}]) AS ${name(`l${index}`)}`
  })
  return sql`SELECT ${join(longest, ', ')} FROM (SELECT ${join(lists, ', ')} FROM (${relation.sql}))`
}

/** Keys in the order of the rows, and inside a row as they stand there. Rows with the same keys are one. */
function keysOf(relation: Relation, column: Column, trees: readonly Tree[], most: number): Sql {
  const rank = relation.order.length === 1 ? name(relation.order[0]!.id) : sql`0`
  const count = integer(trees.length)
  const alike = sql`SELECT min(r) AS r, lists FROM (SELECT ${rank} AS r, json_keys(${name(column.id)}, ${pointers(trees)}) AS lists FROM (${relation.sql})) GROUP BY lists`
  const found = sql`SELECT r, unnest(lists) AS ks, unnest(range(${count})) AS place FROM (${alike})`
  const each = sql`SELECT place, unnest(ks) AS key, r * ${integer(KEYS_PER_OBJECT)} + unnest(range(len(ks))) AS seen FROM (${found})`
  return sql`SELECT place, key, min(seen) AS seen FROM (${each}) GROUP BY place, key ORDER BY seen, key LIMIT ${integer(most + 1)}`
}
