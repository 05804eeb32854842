import type { Path } from '../../language/values.ts'
import { UnknownColumn } from '../errors.ts'
import { type Column, project, type Relation } from '../relation.ts'
import { name, sql } from '../sql.ts'
import { type Selection, selectIn } from './json.ts'
import { placeOf, type ReadOptions } from './read.ts'

type Parts = Map<string, Selection>

/**
 * The relation with only these paths, in this order. Parts of one column stay together where the first of them stands;
 * `a.*` is all of `a`, `*` every column that is not named otherwise.
 */
export function selectPaths(relation: Relation, paths: readonly Path[], options: ReadOptions = {}): Relation {
  const wanted = new Map<string, Selection>()
  for (const path of paths) {
    if (path.wildcard && path.segments.length === 0) {
      for (const column of rest(relation.columns, paths))
        wanted.set(column.name, wanted.get(column.name) ?? 'all')
      continue
    }
    const place = placeOf(relation.columns, withoutStar(path))
    if (place) wanted.set(place.column.name, merge(wanted.get(place.column.name), place.below))
    else if (options.missing !== 'null')
      throw new UnknownColumn(
        path.text,
        relation.columns.map(column => column.name),
        options.span,
      )
  }
  const byName = new Map(relation.columns.map(column => [column.name, column]))
  return project(
    relation,
    [...wanted].map(([columnName, selection]) => selected(byName.get(columnName)!, selection)),
  )
}

/** `a.*` says nothing that `a` does not. */
const withoutStar = (path: Path): Path =>
  path.wildcard ? { text: path.text.replace(/\.\*$/, ''), segments: path.segments } : path

/** The columns that no other path names, whole or in part. */
function rest(columns: readonly Column[], paths: readonly Path[]): readonly Column[] {
  const named = new Set(
    paths
      .filter(path => path.segments.length > 0)
      .map(path => placeOf(columns, withoutStar(path))?.column.name),
  )
  return columns.filter(column => !named.has(column.name))
}

/** What was selected so far, and these segments too. */
function merge(selection: Selection | undefined, segments: readonly string[]): Selection {
  const [segment, ...below] = segments
  if (segment === undefined || selection === 'all') return 'all'
  const parts: Parts = new Map(selection)
  return parts.set(segment, merge(parts.get(segment), below))
}

function selected(column: Column, selection: Selection) {
  if (selection === 'all') return { column, sql: name(column.id) }
  // There is nothing inside a number or a text.
  const value = column.type === 'JSON' ? selectIn(name(column.id), selection) : sql`NULL::JSON`
  return { column: { name: column.name, id: column.id, type: 'JSON' as const }, sql: value }
}
