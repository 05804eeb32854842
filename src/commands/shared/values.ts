import type { Path } from '../../language/values.ts'
import { IMPLEMENTATIONS } from '../../sql/functions/index.ts'
import { deletePath, readPath, writePath } from '../../sql/path.ts'
import { identify, project, type Relation } from '../../sql/relation.ts'
import { name, type SqlType, sql } from '../../sql/sql.ts'
import { storable } from '../../sql/text.ts'
import { shared, type Typed, typed } from '../../sql/value.ts'
import { columnNamed, read, scratchName } from './columns.ts'

/** A value, computed over the relation as it is before anything is written. */
export interface Write {
  readonly path: Path
  readonly value: Typed
}

/** The relation with these values at their paths. */
export function written(relation: Relation, writes: readonly Write[]): Relation {
  const [first, ...more] = writes
  if (!first) return relation
  if (more.length === 0) return writePath(relation, first.path, first.value)
  const stage = staged(
    relation,
    writes.map(write => write.value),
  )
  const result = writes.reduce(
    (so, { path }, index) => writePath(so, path, stage.value(so, index)),
    stage.relation,
  )
  return stage.cleared(result)
}

/** Each of these paths with its value changed, in place. A table without columns has nothing to change. */
export const changed = (
  relation: Relation,
  paths: readonly Path[],
  change: (value: Typed) => Typed,
): Relation =>
  relation.columns.length === 0
    ? relation
    : paths.reduce((so, path) => writePath(so, path, change(read(so, path))), relation)

/** The relation without these paths. `a.*` says nothing that `a` does not, and `*` is every column. */
export function removed(relation: Relation, paths: readonly Path[]): Relation {
  const wanted = paths.flatMap(path => plainPaths(relation, path))
  // Looked up before anything is gone, so that a misspelt name is told from one that an earlier path took along.
  for (const path of wanted) read(relation, path)
  return deleted(relation, wanted)
}

/** The relation without these paths, whether they are there or not. */
export const deleted = (relation: Relation, paths: readonly Path[]): Relation =>
  [...paths].sort(laterItemsFirst).reduce((so, path) => deletePath(so, path, { missing: 'null' }), relation)

function plainPaths(relation: Relation, path: Path): readonly Path[] {
  if (!path.wildcard) return [path]
  if (path.segments.length > 0) return [{ text: path.text.slice(0, -2), segments: path.segments }]
  return relation.columns.map(column => columnNamed(column.name))
}

/** Taking an item out of an array moves those behind it. */
function laterItemsFirst(a: Path, b: Path): number {
  const at = a.segments.findIndex((segment, index) => segment !== b.segments[index])
  const [one, other] = [Number(a.segments[at]), Number(b.segments[at])]
  return Number.isInteger(one) && Number.isInteger(other) ? other - one : 0
}

/** Values as columns of their own for a while: what is read from the relation stays as it was while it is rewritten. */
export interface Staged {
  readonly relation: Relation
  /** The names of the columns. */
  readonly names: readonly string[]
  /** One of the values, in this relation or one made from it. */
  value(relation: Relation, index: number): Typed
  /** The relation without them. */
  cleared(relation: Relation): Relation
}

export function staged(relation: Relation, values: readonly Typed[]): Staged {
  const names = values.map((_, index) => scratchName(index))
  const ids = identify([...relation.columns.map(column => column.name), ...names])
  const kept = relation.columns.map((column, index) => ({
    column: { ...column, id: ids[index]! },
    sql: name(column.id),
  }))
  const added = values.map((value, index) => {
    const { sql: stored, type } = storable(value)
    const at = relation.columns.length + index
    return { column: { name: names[index]!, id: ids[at]!, type: type as SqlType }, sql: stored }
  })
  return {
    relation: project(relation, [...kept, ...added]),
    names,
    value: (from, index) => readPath(from.columns, columnNamed(names[index]!), { missing: 'null' }),
    cleared: from => {
      const left = from.columns.filter(column => !names.includes(column.name))
      return project(
        from,
        left.map(column => ({ column, sql: name(column.id) })),
      )
    },
  }
}

/** A function of the language on values that are at hand already. Not for those that need a worker or the clock. */
export const apply = (functionName: string, ...args: readonly Typed[]): Typed =>
  IMPLEMENTATIONS[functionName]!(args, {
    node: { kind: 'call', name: functionName, args: [], span: { offset: 0, length: 0 } },
    lift: () => {
      throw new Error(`${functionName}() cannot be computed in SQL.`)
    },
    markVolatile: () => undefined,
  })

/** A function that only texts go through; what is no text stays as it is. */
export const ofText =
  (functionName: string, ...args: readonly Typed[]) =>
  (value: Typed): Typed => {
    if (value.type === 'VARCHAR') return apply(functionName, value, ...args)
    if (value.type !== 'JSON') return value
    const json = shared(value, v => {
      const result = apply(functionName, typed(sql`(${v.sql} ->> '$')`, 'VARCHAR'), ...args)
      return sql`CASE WHEN json_type(${v.sql}) = 'VARCHAR' THEN to_json(${storable(result).sql}) ELSE ${v.sql} END`
    })
    return typed(json, 'JSON')
  }
