import type { Path } from '../../language/values.ts'
import { placeOf, writePath } from '../../sql/path.ts'
import { identify, project, type Relation } from '../../sql/relation.ts'
import { name } from '../../sql/sql.ts'
import { read } from './columns.ts'
import { deleted, staged } from './values.ts'

interface Pair {
  readonly from: Path
  readonly to: Path
}

/** Old and new names in turn, all done at once. */
export function renamed(relation: Relation, names: readonly Path[]): Relation {
  if (relation.columns.length === 0) return relation
  const pairs = names.flatMap((from, at): Pair[] => (at % 2 === 0 ? [{ from, to: names[at + 1]! }] : []))
  const stays = (pair: Pair) => isColumn(relation, pair.from) && pair.to.segments.length === 1
  const moves = pairs.filter(pair => !stays(pair))
  const stage = staged(
    relation,
    moves.map(({ from }) => read(relation, from)),
  )
  const taken = deleted(
    stage.relation,
    moves.map(({ from }) => from),
  )
  const columns = withNames(taken, pairs.filter(stays))
  const put = moves.reduce((so, { to }, index) => writePath(so, to, stage.value(so, index)), columns)
  return moves.length > 0 ? stage.cleared(put) : put
}

const isColumn = (relation: Relation, path: Path): boolean => {
  read(relation, path)
  return placeOf(relation.columns, path)?.below.length === 0
}

/** Columns under other names, in their places; one that had such a name before is gone. */
function withNames(relation: Relation, pairs: readonly Pair[]): Relation {
  const names = new Map(
    pairs.map(({ from, to }) => [placeOf(relation.columns, from)?.column.name, to.segments[0]!]),
  )
  const given = new Set(names.values())
  const kept = relation.columns.filter(column => names.has(column.name) || !given.has(column.name))
  const ids = identify(kept.map(column => names.get(column.name) ?? column.name))
  return project(
    relation,
    kept.map((column, index) => ({
      column: { ...column, name: names.get(column.name) ?? column.name, id: ids[index]! },
      sql: name(column.id),
    })),
  )
}
