import { discover } from './flat/discovery.ts'
import { isLike } from './flat/likeness.ts'
import type { FlatColumn, Probe, Tree } from './flat/tree.ts'
import { readPlace } from './path.ts'
import { type Column, type Relation, ROW_NUMBER, where } from './relation.ts'
import { objectText } from './rows.ts'
import { integer, name, type Sql, sql } from './sql.ts'
import { type Typed, typed } from './value.ts'

export type { FlatColumn } from './flat/tree.ts'

/** Rows at the beginning that are looked at first. */
const FIRST_ROWS = 1000

/** The columns of the flat view, of all rows. Undefined when there would be more of them than `most`. */
export async function flatColumns(
  relation: Relation,
  probe: Probe,
  most: number,
): Promise<FlatColumn[] | undefined> {
  const trees = await treesOf(relation, probe, most)
  if (!trees) return undefined
  const found = distinct(
    trees.flatMap(tree => tree.leaves()),
    relation.columns,
  )
  return found.length > most ? undefined : found
}

/**
 * Most tables are like their first rows throughout, and to make sure of that takes a third of the time that it takes to
 * look into every row. Where they are not, everything is looked at.
 */
async function treesOf(relation: Relation, probe: Probe, most: number): Promise<Tree[] | undefined> {
  const [first, ...more] = relation.order
  const isNumbered = more.length === 0 && first?.id === ROW_NUMBER && !first.descending
  if (isNumbered && relation.columns.some(column => column.type === 'JSON')) {
    const beginning = where(relation, sql`${name(ROW_NUMBER)} < ${integer(FIRST_ROWS)}`)
    const trees = await discover(beginning, probe, most)
    if (!trees || (await isLike(relation, beginning, trees, probe))) return trees
  }
  return discover(relation, probe, most)
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
  sql`(strlen(${value}) < 16 AND regexp_full_match(${value}, '\\s*(\\{\\s*\\}|\\[\\s*\\])\\s*'))`
