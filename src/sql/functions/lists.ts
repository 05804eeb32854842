import { lambda, once, type Sql, sql } from '../sql.ts'
import { textOf } from '../text.ts'
import { plainNumber, type Typed, typed } from '../value.ts'
import type { Implementation, Implementations } from './implementation.ts'
import { itemsOf, itemTexts } from './items.ts'
import { numbersIn } from './numbers.ts'

const item =
  (position: Sql): Implementation =>
  ([value]) =>
    typed(sql`${itemsOf(value!)}[${position}]`, 'JSON')

/** In order of appearance: an item stays when it stands at its own first position. */
const unique = (value: Typed): Sql =>
  once(
    itemsOf(value),
    items =>
      sql`list_filter(${items}, ${lambda((x, position) => sql`${x} IS NOT NULL AND list_position(${items}, ${x}) = ${position}`)})`,
  )

/** Numbers by size, then everything else as text; missing items are left out. */
const sorted = (value: Typed): Sql => {
  const keyed = sql`list_transform(list_filter(${itemsOf(value)}, ${lambda(x => sql`${x} IS NOT NULL`)}), ${lambda(
    x => sql`{n: ${once(sql`(${x} ->> '$')`, plainNumber)}, t: (${x} ->> '$'), j: ${x}}`,
  )})`
  return sql`list_transform(list_sort(${keyed}, 'ASC', 'NULLS LAST'), ${lambda(x => sql`${x}.j`)})`
}

/** DuckDB joins by a separator that the query holds; by one of the row, the texts are put together one by one. */
function joined(texts: Sql, separator: Typed | undefined): Sql {
  if (!separator || separator.constant !== undefined)
    return sql`array_to_string(${texts}, ${separator ? sql`coalesce(${textOf(separator)}, '')` : sql`','`})`
  return once(sql`list_filter(${texts}, ${lambda(x => sql`${x} IS NOT NULL`)})`, present => {
    const between = sql`coalesce(${textOf(separator)}, '')`
    const all = sql`list_reduce(${present}, ${lambda((a, b) => sql`${a} || ${between} || ${b}`)})`
    return sql`CASE WHEN len(${present}) = 0 THEN '' ELSE ${all} END`
  })
}

export const LISTS: Implementations = {
  count: ([value]) => typed(sql`coalesce(len(${itemsOf(value!)}), 0)::BIGINT`, 'BIGINT'),
  first: item(sql`1`),
  last: item(sql`-1`),
  join: ([value, separator]) =>
    typed(
      once(itemTexts(value!), texts => joined(texts, separator)),
      'VARCHAR',
    ),
  sum: ([value]) => typed(sql`list_sum(${numbersIn(value!)})`, 'DOUBLE'),
  avg: ([value]) => typed(sql`list_avg(${numbersIn(value!)})`, 'DOUBLE'),
  unique: ([value]) => typed(unique(value!), 'LIST'),
  sort: ([value]) => typed(sorted(value!), 'LIST'),
}
