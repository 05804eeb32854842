import type { Row } from '../../language/json.ts'
import { type Place, pointerTo } from '../path.ts'
import type { Column } from '../relation.ts'
import { integer, join, type Sql, sql } from '../sql.ts'

/** A value of the flat view: `a.b.0`, and where it is read from. */
export interface FlatColumn {
  readonly name: string
  readonly place: Place
  readonly type: FlatType
  /** In some rows an object or an array stands here, whose parts have columns of their own. */
  readonly mixed: boolean
}
export type FlatType = 'string' | 'number' | 'boolean' | 'json'

export type Probe = (query: Sql) => Promise<Row[]>

/** What values a place has held, as bits. */
export const OBJECT = 1
export const ARRAY = 2
export const EMPTY = 4
export const TEXT = 8
export const BOOLEAN = 16
export const NUMBER = 32

/** A place in the rows: a column, or what stands at a path inside one; and what was found there. */
export class Tree {
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

  has(segment: string): boolean {
    return this.children.some(child => child.below.at(-1) === segment)
  }

  /** This place and all below it. */
  all(): Tree[] {
    return [this, ...this.children.flatMap(child => child.all())]
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

export const kindOf = (type: Sql): Sql =>
  sql`CASE ${type} WHEN 'OBJECT' THEN ${integer(OBJECT)} WHEN 'ARRAY' THEN ${integer(ARRAY)} WHEN 'VARCHAR' THEN ${integer(TEXT)} WHEN 'BOOLEAN' THEN ${integer(BOOLEAN)} WHEN 'NULL' THEN 0 ELSE ${integer(NUMBER)} END`

/** Whether an object or an array stands there, and nothing in it. */
export const hasNothing = (tree: Tree, types: ReadonlyMap<Tree, Sql>): Sql => {
  const children = tree.children.map(child => types.get(child)!)
  const first = children.length > 0 ? sql`coalesce(${join(children, ', ')}, '')` : sql`''`
  return sql`${types.get(tree)!} IN ('OBJECT', 'ARRAY') AND ${first} = ''`
}

export function byColumn(level: readonly Tree[]): [Column, Tree[]][] {
  return [...Map.groupBy(level, tree => tree.column)]
}

/** Several places at once, for the functions that answer with a list then; `$` is the only way to say the whole. */
export const pointers = (trees: readonly Tree[]): Sql => sql`[${join(trees.map(pointer), ', ')}]`

export const pointer = (tree: Tree): Sql => (tree.below.length === 0 ? sql`'$'` : pointerTo(tree.below))
