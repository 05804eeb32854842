import type { Relation } from '../../sql/relation.ts'
import { objectText } from '../../sql/rows.ts'
import { join, lambda, name, once, type Sql, type SqlType, sql } from '../../sql/sql.ts'
import { jsonOf } from '../../sql/text.ts'
import { type Typed, typed } from '../../sql/value.ts'
import { projected } from './columns.ts'

/** What stands under a name: a value of its own, and parts by their names. */
interface Node {
  own?: Typed
  readonly parts: Map<string, Node>
}

/** An array is made up to its last item, so one far out would fill the memory with nulls. */
const LONGEST = 1000

/** Columns with dots in their names as parts of the column that the first name is. */
export function unflattened(relation: Relation): Relation {
  const root: Node = { parts: new Map() }
  for (const column of relation.columns) {
    let node = root
    for (const segment of column.name.split('.')) {
      const next = node.parts.get(segment) ?? { parts: new Map() }
      node.parts.set(segment, next)
      node = next
    }
    node.own = typed(name(column.id), column.type)
  }
  return projected(
    relation,
    [...root.parts].map(([columnName, node]) => {
      const value = valueOfNode(node)
      return { name: columnName, sql: value.sql, type: value.type as SqlType }
    }),
  )
}

function valueOfNode({ own, parts }: Node): Typed {
  if (parts.size === 0) return own!
  const names = [...parts.keys()]
  const isArray = names.every(part => /^(0|[1-9]\d*)$/.test(part) && Number(part) < LONGEST)
  const nested = isArray ? arrayOf(parts) : objectOf(parts)
  return own ? combined(own, nested) : nested
}

const objectOf = (parts: ReadonlyMap<string, Node>): Typed =>
  typed(
    sql`nullif(${objectText([...parts].map(([key, node]) => ({ key, value: valueOfNode(node) })))}, '{}')::JSON`,
    'JSON',
  )

/** Up to the last item that is there; the missing ones before it are null. */
function arrayOf(parts: ReadonlyMap<string, Node>): Typed {
  const length = Math.max(...[...parts.keys()].map(Number)) + 1
  const items = Array.from({ length }, (_, index) => {
    const node = parts.get(String(index))
    return node ? sql`${jsonOf(valueOfNode(node))}::VARCHAR` : sql`NULL::VARCHAR`
  })
  const text = once(sql`[${join(items, ', ')}]`, list =>
    once(lastPresent(list), last => {
      const shown = sql`list_transform(${list}[1:${last}], ${lambda(item => sql`coalesce(${item}, 'null')`)})`
      return sql`CASE WHEN ${last} IS NOT NULL THEN '[' || array_to_string(${shown}, ',') || ']' END`
    }),
  )
  return typed(sql`${text}::JSON`, 'JSON')
}

const lastPresent = (list: Sql): Sql =>
  sql`list_max(list_transform(${list}, ${lambda((item, at) => sql`CASE WHEN ${item} IS NOT NULL THEN ${at} END`)}))`

/** A column `a` beside a column `a.b`: the part goes into the object that `a` is, or takes its place. */
const combined = (own: Typed, nested: Typed): Typed =>
  typed(
    once(nested.sql, part => {
      const whole = jsonOf(own)
      const both = sql`json_type(${whole}) = 'OBJECT' AND json_type(${part}) = 'OBJECT'`
      return sql`CASE WHEN ${part} IS NULL THEN ${whole} WHEN ${both} THEN json_merge_patch(${whole}, ${part}) ELSE ${part} END`
    }),
    'JSON',
  )
