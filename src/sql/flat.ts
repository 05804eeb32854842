import type { Row } from '../language/json.ts'
import { type Place, pointerTo, readPlace } from './path.ts'
import type { Column, Relation } from './relation.ts'
import { objectText } from './rows.ts'
import { integer, join, name, type Sql, sql } from './sql.ts'
import { type Typed, typed } from './value.ts'

/** A value of the flat view: `a.b.0`, and where it is read from. */
export interface FlatColumn {
  readonly name: string
  readonly place: Place
  readonly type: FlatType
  /** In some rows an object or an array stands here, whose parts have columns of their own. */
  readonly mixed: boolean
}
export type FlatType = 'string' | 'number' | 'boolean' | 'json'

type Probe = (query: Sql) => Promise<Row[]>

/** What values a place has held, as bits. */
const OBJECT = 1
const ARRAY = 2
const EMPTY = 4
const TEXT = 8
const BOOLEAN = 16
const NUMBER = 32

/** Deeper than any data of use; the parts below stay JSON. */
const DEEPEST = 32
/** More keys than one object has; a row's number and a key's place in it make one number to order by. */
const KEYS_PER_OBJECT = 1_000_000

/**
 * The columns of the flat view, found by looking at all rows, level by level: at each, every JSON column is parsed a
 * few times, however many places it has there. Undefined when there would be more columns than `most`.
 */
export async function flatColumns(
  relation: Relation,
  probe: Probe,
  most: number,
): Promise<FlatColumn[] | undefined> {
  const trees = relation.columns.map(column => new Tree(column, []))
  let level = trees.filter(tree => tree.column.type === 'JSON')
  for (let depth = 0; level.length > 0 && depth < DEEPEST; depth++) {
    if (level.length > most) return undefined
    await lookAtKinds(relation, level, probe)
    const nested = level.filter(tree => tree.kinds & (OBJECT | ARRAY))
    if (nested.length > 0) await lookInside(relation, nested, probe, most)
    level = nested.flatMap(tree => tree.children)
  }
  const found = distinct(
    trees.flatMap(tree => tree.leaves()),
    relation.columns,
  )
  return found.length > most ? undefined : found
}

/** A column whose own name is the whole path wins over nesting. */
function distinct(flat: readonly FlatColumn[], columns: readonly Column[]): FlatColumn[] {
  const taken = new Set(columns.map(column => column.name))
  return flat.filter(({ name: flatName, place }) => {
    if (place.below.length === 0) return true
    if (taken.has(flatName)) return false
    taken.add(flatName)
    return true
  })
}

/** A value of the flat view; missing where an object or an array with parts of its own stands in its place. */
export function readFlat(flat: FlatColumn): Typed {
  const value = readPlace(flat.place)
  if (!flat.mixed) return value
  const single = sql`json_type(${value.sql}) NOT IN ('OBJECT', 'ARRAY') OR ${isEmpty(value.sql)}`
  return typed(sql`CASE WHEN ${single} THEN ${value.sql} END`, value.type)
}

export const flatText = (columns: readonly FlatColumn[]): Sql =>
  objectText(columns.map(flat => ({ key: flat.name, value: readFlat(flat) })))

/** Text is looked at before anything is parsed: an empty one is short. */
const isEmpty = (value: Sql): Sql =>
  sql`(length(${value}) < 16 AND regexp_full_match(${value}, '\\s*(\\{\\s*\\}|\\[\\s*\\])\\s*'))`

class Tree {
  readonly column: Column
  readonly below: readonly string[]
  kinds = 0
  children: Tree[] = []

  constructor(column: Column, below: readonly string[]) {
    this.column = column
    this.below = below
  }

  grow(segments: readonly string[]): void {
    this.children = segments.map(segment => new Tree(this.column, [...this.below, segment]))
  }

  leaves(): FlatColumn[] {
    const own = this.#isLeaf() ? [this.#leaf()] : []
    return [...own, ...this.children.flatMap(child => child.leaves())]
  }

  /** A column of nothing but nulls still has a name to show; a place inside one has not. */
  #isLeaf(): boolean {
    if (this.column.type !== 'JSON') return true
    const hasSingle = (this.kinds & ~(OBJECT | ARRAY)) !== 0
    return hasSingle || (this.children.length === 0 && (this.kinds !== 0 || this.below.length === 0))
  }

  #leaf(): FlatColumn {
    return {
      name: [this.column.name, ...this.below].join('.'),
      place: { column: this.column, below: this.below },
      type: this.#type(),
      mixed: this.children.length > 0,
    }
  }

  #type(): FlatType {
    if (this.column.type === 'VARCHAR') return 'string'
    if (this.column.type === 'BOOLEAN') return 'boolean'
    if (this.column.type !== 'JSON') return 'number'
    const single = this.kinds & ~(OBJECT | ARRAY)
    return single === TEXT ? 'string' : single === NUMBER ? 'number' : single === BOOLEAN ? 'boolean' : 'json'
  }
}

const KIND_OF = (type: Sql): Sql =>
  sql`CASE ${type} WHEN 'OBJECT' THEN ${integer(OBJECT)} WHEN 'ARRAY' THEN ${integer(ARRAY)} WHEN 'VARCHAR' THEN ${integer(TEXT)} WHEN 'BOOLEAN' THEN ${integer(BOOLEAN)} WHEN 'NULL' THEN 0 ELSE ${integer(NUMBER)} END`

/** Which kinds of value stand at each place: one parse of each column, for all its places together. */
async function lookAtKinds(relation: Relation, level: readonly Tree[], probe: Probe): Promise<void> {
  const groups = byColumn(level)
  const lists = groups.map(
    ([column, trees], group) =>
      sql`json_type(${name(column.id)}, ${pointers(trees)}) AS ${name(`t${group}`)}`,
  )
  const figures = groups.flatMap(([, trees], group) =>
    trees.map(
      (_, index) =>
        sql`bit_or(${KIND_OF(sql`${name(`t${group}`)}[${integer(index + 1)}]`)}) FILTER (WHERE ${name(`t${group}`)}[${integer(index + 1)}] IS NOT NULL) AS ${name(`k${group}_${index}`)}`,
    ),
  )
  const [row] = await probe(
    sql`SELECT ${join(figures, ', ')} FROM (SELECT ${join(lists, ', ')} FROM (${relation.sql}))`,
  )
  for (const [group, [, trees]] of groups.entries())
    for (const [index, tree] of trees.entries()) tree.kinds = Number(row?.[`k${group}_${index}`] ?? 0)
}

/** The keys of objects and the lengths of arrays, and whether some are empty: those are values of their own. */
async function lookInside(
  relation: Relation,
  level: readonly Tree[],
  probe: Probe,
  most: number,
): Promise<void> {
  const [sizes] = await probe(sizesOf(relation, level))
  const objects = byColumn(level.filter(tree => tree.kinds & OBJECT))
  const keys = new Map<Tree, string[]>()
  for (const [column, trees] of objects)
    for (const row of await probe(keysOf(relation, column, trees, most))) {
      const tree = trees[Number(row.place)]!
      keys.set(tree, [...(keys.get(tree) ?? []), String(row.key)])
    }
  for (const [index, tree] of level.entries()) {
    if (sizes?.[`e${index}`]) tree.kinds |= EMPTY
    const length = Math.min(Number(sizes?.[`l${index}`] ?? 0), most + 1)
    tree.grow([...new Set([...(keys.get(tree) ?? []), ...Array.from({ length }, (_, at) => String(at))])])
  }
}

function sizesOf(relation: Relation, level: readonly Tree[]): Sql {
  const figures = level.flatMap(({ column, below, kinds }, index) => {
    const value = name(column.id)
    const inner = below.length === 0 ? value : sql`(${value} -> ${pointerTo(below)})`
    const empty = sql`bool_or(${isEmpty(inner)}) AS ${name(`e${index}`)}`
    const length = below.length === 0 ? value : sql`${value}, ${pointerTo(below)}`
    return kinds & ARRAY ? [empty, sql`max(json_array_length(${length})) AS ${name(`l${index}`)}`] : [empty]
  })
  return sql`SELECT ${join(figures, ', ')} FROM (${relation.sql})`
}

/** Keys in the order of the rows, and inside a row as they stand there. */
function keysOf(relation: Relation, column: Column, trees: readonly Tree[], most: number): Sql {
  const rank = relation.order.length === 1 ? name(relation.order[0]!.id) : sql`0`
  const count = integer(trees.length)
  const found = sql`SELECT ${rank} AS r, unnest(json_keys(${name(column.id)}, ${pointers(trees)})) AS ks, unnest(range(${count})) AS place FROM (${relation.sql})`
  const each = sql`SELECT place, unnest(ks) AS key, r * ${integer(KEYS_PER_OBJECT)} + unnest(range(len(ks))) AS seen FROM (${found})`
  return sql`SELECT place, key, min(seen) AS seen FROM (${each}) GROUP BY place, key ORDER BY seen, key LIMIT ${integer(most + 1)}`
}

function byColumn(level: readonly Tree[]): [Column, Tree[]][] {
  return [...Map.groupBy(level, tree => tree.column)]
}

/** A list of one would do no harm, but `$` is the only way to say the whole. */
const pointers = (trees: readonly Tree[]): Sql =>
  sql`[${join(
    trees.map(tree => (tree.below.length === 0 ? sql`'$'` : pointerTo(tree.below))),
    ', ',
  )}]`
