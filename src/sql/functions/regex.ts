import { patternText } from '../../language/expression/check.ts'
import { groupsOf } from '../../language/re2.ts'
import { integer, lambda, once, type Sql, sql } from '../sql.ts'
import { textOf } from '../text.ts'
import { type Typed, typed } from '../value.ts'
import type { CallContext, Implementations } from './implementation.ts'
import { testOfTexts } from './text.ts'

/** The number of the group that is asked for: by number or name, else the first, else 0 for all that was found. */
function groupNumber(given: Typed | undefined, { node }: CallContext): Sql {
  const pattern = node.args[1]
  const { count, names } = groupsOf(pattern?.kind === 'regex' ? patternText(pattern) : '')
  if (!given) return integer(Math.min(count, 1))
  return integer(typeof given.constant === 'string' ? names[given.constant]! : Number(given.constant))
}

export const REGEX: Implementations = {
  matches: testOfTexts((text, pattern) => sql`regexp_matches(${text!}, ${pattern!})`),
  extract: ([value, pattern, group], context) =>
    typed(
      once(
        textOf(value!),
        text =>
          // Without a match DuckDB gives the empty text, as it does for a group that matched nothing.
          sql`CASE WHEN regexp_matches(${text}, ${pattern!.sql}) THEN regexp_extract(${text}, ${pattern!.sql}, ${groupNumber(group, context)}) END`,
      ),
      'VARCHAR',
    ),
  extractall: ([value, pattern, group], context) =>
    typed(
      sql`list_transform(regexp_extract_all(${textOf(value!)}, ${pattern!.sql}, ${groupNumber(group, context)}), ${lambda(item => sql`to_json(${item})`)})`,
      'LIST',
    ),
}
