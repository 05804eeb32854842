import type { Path } from '../../language/values.ts'
import { selectPaths } from '../../sql/path.ts'
import type { Relation } from '../../sql/relation.ts'
import type { Sql, SqlType } from '../../sql/sql.ts'
import { typed } from '../../sql/value.ts'
import { CommandFailure } from '../failure.ts'
import { columnNamed, projected } from './columns.ts'
import { written } from './values.ts'

/** A column of a new table, or a part inside one. */
export interface Made {
  readonly path: Path
  readonly sql: Sql
  readonly type: SqlType
}

/** A table with exactly these columns, in this order; those whose paths share their first name become one object. */
export function assemble(rows: Relation, made: readonly Made[]): Relation {
  refuseTwins(made)
  if (made.every(isPlain))
    return projected(
      rows,
      made.map(({ path, sql, type }) => ({ name: path.segments[0]!, sql, type })),
    )
  const nested = written(
    { ...rows, columns: [] },
    made.map(({ path, sql, type }) => ({ path, value: typed(sql, type) })),
  )
  return selectPaths(nested, [...new Set(made.map(({ path }) => path.segments[0]!))].map(columnNamed))
}

const isPlain = ({ path }: Made): boolean => path.segments.length === 1

function refuseTwins(made: readonly Made[]): void {
  const seen = new Set<string>()
  for (const { path } of made) {
    const key = JSON.stringify(path.segments)
    if (seen.has(key))
      throw new CommandFailure(
        'duplicate_column',
        `Two columns of the result would be called ${path.text}.`,
        {
          hint: 'Give one of them another name: "count() as total", or rename the column before.',
        },
      )
    seen.add(key)
  }
}
