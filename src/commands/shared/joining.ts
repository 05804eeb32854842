import { parsePath } from '../../language/paths.ts'
import type { Path } from '../../language/values.ts'
import { freshKeys } from '../../sql/order.ts'
import type { Column, OrderTerm, Relation } from '../../sql/relation.ts'
import { objectText } from '../../sql/rows.ts'
import { join, name, once, type Sql, type SqlType, sql } from '../../sql/sql.ts'
import { textOf } from '../../sql/text.ts'
import { unify } from '../../sql/unify.ts'
import { isNumeric, numberText, plainNumber, type Typed, typed } from '../../sql/value.ts'
import { CommandFailure } from '../failure.ts'
import { columnNamed, projected, read } from './columns.ts'
import { onlyColumns } from './expressions.ts'
import { written } from './values.ts'

type JoinType = 'inner' | 'left' | 'right' | 'full' | 'anti' | 'semi'

/** A column of this side and the one of the other side that must equal it. */
interface KeyPair {
  readonly here: Path
  readonly there: Path
}

export function keyPairs(columns: readonly Path[], on: readonly string[]): KeyPair[] {
  const pairs = [...columns.map(path => ({ here: path, there: path })), ...on.map(readPair)]
  if (pairs.length > 0) return pairs
  throw new CommandFailure('join_keys', 'join does not know which columns must be equal.', {
    hint: 'Name them: join id --stage other, or join --on "id=code" --stage other.',
  })
}

function readPair(text: string): KeyPair {
  const [here, there, ...more] = text.split('=').map(side => parsePath(side.trim()))
  if (here && there && more.length === 0 && !('problem' in here) && !('problem' in there))
    return { here, there }
  throw new CommandFailure('join_on', `join cannot read --on "${text}".`, {
    hint: 'Write the column of this side, =, and the one of the other side: --on "id=code".',
  })
}

/** One side of a join: its columns, keys and order under ids that the other side does not use. */
interface Side {
  readonly sql: Sql
  readonly columns: readonly Column[]
  readonly keys: readonly Typed[]
  readonly order: readonly OrderTerm[]
}

function sideOf(
  relation: Relation,
  letter: 'l' | 'r',
  paths: readonly Path[],
  taken: readonly OrderTerm[],
): Side {
  const columns = relation.columns.map((column, index) => ({ ...column, id: `${letter}${index}` }))
  const keys = paths.map(path => read(relation, path))
  const ids = freshKeys(taken, relation.order.length)
  const list = [
    ...relation.columns.map((column, index) => sql`${name(column.id)} AS ${name(columns[index]!.id)}`),
    ...keys.map((key, index) => sql`${key.sql} AS ${name(`${letter}k${index}`)}`),
    ...relation.order.map((term, index) => sql`${name(term.id)} AS ${name(ids[index]!)}`),
  ]
  return {
    sql: sql`SELECT ${join(list, ', ')} FROM (${relation.sql})`,
    columns,
    // Without what they were read from, which the join cannot see any more.
    keys: keys.map((key, index) => typed(name(`${letter}k${index}`), key.type)),
    order: relation.order.map((term, index) => ({ ...term, id: ids[index]! })),
  }
}

export function joined(left: Relation, right: Relation, pairs: readonly KeyPair[], type: JoinType): Relation {
  const here = sideOf(
    left,
    'l',
    pairs.map(pair => pair.here),
    [],
  )
  const there = sideOf(
    right,
    'r',
    pairs.map(pair => pair.there),
    here.order,
  )
  const equal = join(
    here.keys.map((key, index) => equality(key, there.keys[index]!)),
    ' AND ',
  )
  const table = (keyword: Sql): Sql =>
    sql`SELECT * FROM (${here.sql}) ${keyword} JOIN (${there.sql}) ON ${equal}`
  if (type === 'semi' || type === 'anti') {
    const relation = { sql: table(KEYWORDS[type]), columns: here.columns, order: here.order }
    return projected(relation, here.columns.map(asItIs))
  }
  const relation = { sql: table(KEYWORDS[type]), columns: [], order: [...here.order, ...there.order] }
  return withClashes(relation, here, there, pairs)
}

const KEYWORDS: Record<JoinType, Sql> = {
  inner: sql`INNER`,
  left: sql`LEFT`,
  right: sql`RIGHT`,
  full: sql`FULL`,
  anti: sql`ANTI`,
  semi: sql`SEMI`,
}

interface Made extends Pick<Column, 'name' | 'type'> {
  readonly sql: Sql
}

/** This side's columns, then the other's that it does not have, then `_right` with those that it has too. */
function withClashes(relation: Relation, here: Side, there: Side, pairs: readonly KeyPair[]): Relation {
  const keys = new Set(pairs.filter(pair => pair.here.text === pair.there.text).map(pair => pair.here.text))
  const known = new Set(here.columns.map(column => column.name))
  const others = new Map(there.columns.map(column => [column.name, column]))
  const left = here.columns.map((column): Made => {
    const other = keys.has(column.name) ? others.get(column.name) : undefined
    return other ? either(column, other) : asItIs(column)
  })
  const added = there.columns.filter(column => !known.has(column.name)).map(asItIs)
  const clashing = there.columns.filter(column => known.has(column.name) && !keys.has(column.name))
  const columns = [...left, ...added]
  if (clashing.length === 0) return projected(relation, columns)
  return columns.some(column => column.name === RIGHT)
    ? addedToRight(relation, columns, clashing)
    : projected(relation, [...columns, rightOf(clashing)])
}

const RIGHT = '_right'

function rightOf(clashing: readonly Column[]): Made {
  const fields = clashing.map(column => ({ key: column.name, value: typed(name(column.id), column.type) }))
  return { name: RIGHT, type: 'JSON', sql: sql`nullif(${objectText(fields)}, '{}')::JSON` }
}

/** A join before this one has left a `_right`: what it holds stays beside the new. */
function addedToRight(relation: Relation, columns: readonly Made[], clashing: readonly Column[]): Relation {
  const holders = clashing.map((column, index) => ({ ...asItIs(column), name: `~right:${index}` }))
  const wide = projected(relation, [...columns, ...holders])
  const writes = clashing.map((column, index) => ({
    path: { text: `${RIGHT}.${column.name}`, segments: [RIGHT, column.name] },
    value: read(wide, columnNamed(holders[index]!.name)),
  }))
  const result = written(wide, writes)
  return onlyColumns(result, result.columns.slice(0, columns.length))
}

const asItIs = ({ name: columnName, id, type }: Column): Made => ({ name: columnName, type, sql: name(id) })

/** A key that both sides have: a row of the other side alone has only its own. */
function either(one: Column, other: Column): Made {
  const { type, values } = unify([typed(name(one.id), one.type), typed(name(other.id), other.type)])
  return { name: one.name, type: type as SqlType, sql: sql`coalesce(${join(values, ', ')})` }
}

/** Equal values of one type are compared as they are; else a number meets the same number in text. */
function equality(one: Typed, other: Typed): Sql {
  const plain = one.type === other.type && one.type !== 'JSON'
  const numbers = isNumeric(one.type) && isNumeric(other.type)
  return plain || numbers ? sql`${one.sql} = ${other.sql}` : sql`${comparable(one)} = ${comparable(other)}`
}

/** One text for each number, however it is written: 12.50 and 12.5, 1e3 and 1000. Long integers keep their digits. */
function comparable(value: Typed): Sql {
  const text = textOf(value)
  if (value.type !== 'VARCHAR' && value.type !== 'JSON') return text
  return once(
    text,
    t =>
      sql`CASE WHEN regexp_full_match(${t}, '-?[0-9]{1,15}[.eE][0-9.eE+-]*') THEN coalesce(${numberText(plainNumber(t))}, ${t}) ELSE ${t} END`,
  )
}
