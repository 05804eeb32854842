import { groupsOf, re2Pattern } from '../../language/re2.ts'
import type { Path } from '../../language/values.ts'
import { freshKeys } from '../../sql/order.ts'
import type { Relation } from '../../sql/relation.ts'
import { join, literal, name, type Sql, sql } from '../../sql/sql.ts'
import { textOf } from '../../sql/text.ts'
import { typed } from '../../sql/value.ts'
import { CommandFailure } from '../failure.ts'
import { columnNamed, read } from './columns.ts'
import { written } from './values.ts'

/** The named groups of a pattern as columns: of the first match in each row, or a row for each match. */
export function extracted(input: Relation, path: Path, regex: string, all: boolean): Relation {
  const { count, names } = namedGroups(regex)
  if (input.columns.length === 0) return input
  // Fields of a struct ignore letter case, so there the groups go by number.
  const fields = Array.from({ length: count }, (_, index) => literal(`g${index + 1}`))
  const call = sql`(${textOf(read(input, path))}, ${literal(re2Pattern(regex))}, [${join(fields, ', ')}])`
  const { rows, match } = all ? eachMatch(input, call) : firstMatch(input, call)
  return written(
    rows,
    Object.entries(names).map(([group, number]) => ({
      path: columnNamed(group),
      // Without a match, and for a group that took no part in it, DuckDB gives the empty text.
      value: typed(sql`nullif(${match}.${name(`g${number}`)}, '')`, 'VARCHAR'),
    })),
  )
}

interface Matches {
  readonly rows: Relation
  /** The struct of the groups, in those rows. */
  readonly match: Sql
}

function firstMatch(input: Relation, call: Sql): Matches {
  const [match] = freshKeys(input.order, 1).map(name)
  return {
    rows: { ...input, sql: sql`SELECT *, regexp_extract${call} AS ${match!} FROM (${input.sql})` },
    match: match!,
  }
}

/** A row without a match stays, once. */
function eachMatch(input: Relation, call: Sql): Matches {
  const [list, place, match] = freshKeys(input.order, 3)
  const found = sql`SELECT *, regexp_extract_all${call} AS ${name(list!)} FROM (${input.sql})`
  const items = sql`CASE WHEN len(${name(list!)}) > 0 THEN ${name(list!)} ELSE [NULL] END`
  return {
    rows: {
      columns: input.columns,
      order: [...input.order, { id: place! }],
      sql: sql`SELECT *, unnest(${items}) AS ${name(match!)}, generate_subscripts(${items}, 1) AS ${name(place!)} FROM (${found})`,
    },
    match: name(match!),
  }
}

function namedGroups(regex: string) {
  const groups = groupsOf(regex)
  if (Object.keys(groups.names).length > 0) return groups
  throw new CommandFailure(
    'extract_no_groups',
    'The expression has no named group, so there is nothing to name a column by.',
    {
      hint: 'Write (?<price>…) around the part that the column price should hold.',
    },
  )
}
