import { LONGEST_PAD } from '../../language/expression/functions/text.ts'
import { wholeOf } from '../number.ts'
import { integer, join, lambda, once, type Sql, sql } from '../sql.ts'
import { textOf } from '../text.ts'
import { shared, strict, type Typed, typed } from '../value.ts'
import type { Implementation, Implementations } from './implementation.ts'
import { itemTexts } from './items.ts'

/** A function of the texts of its arguments. */
export const ofTexts =
  (formula: (...texts: readonly Sql[]) => Sql): Implementation =>
  args =>
    typed(formula(...args.map(textOf)), 'VARCHAR')

/** A condition on the texts of its arguments: false where one is missing. */
export const testOfTexts =
  (formula: (...texts: readonly Sql[]) => Sql): Implementation =>
  args =>
    strict(formula(...args.map(textOf)))

/** In a list an item, in anything else a part of the text. */
export function contains(value: Typed, part: Typed): Typed {
  if (value.type === 'LIST') return strict(sql`list_contains(${itemTexts(value)}, ${textOf(part)})`)
  if (value.type !== 'JSON') return strict(sql`contains(${textOf(value)}, ${textOf(part)})`)
  return strict(
    once(textOf(part), p =>
      shared(
        value,
        v =>
          sql`CASE WHEN json_type(${v.sql}) = 'ARRAY' THEN list_contains(${v.sql} ->> '$[*]', ${p}) ELSE contains(${textOf(v)}, ${p}) END`,
      ),
    ),
  )
}

const length: Implementation = ([value]) => {
  if (value!.type === 'LIST') return typed(sql`len(${value!.sql})::BIGINT`, 'BIGINT')
  if (value!.type !== 'JSON') return typed(sql`length(${textOf(value!)})::BIGINT`, 'BIGINT')
  return typed(
    shared(
      value!,
      v =>
        sql`CASE WHEN json_type(${v.sql}) = 'ARRAY' THEN json_array_length(${v.sql}) ELSE length(${textOf(v)}) END::BIGINT`,
    ),
    'BIGINT',
  )
}

/** Positions count from 0, from the end when negative; DuckDB counts from 1. */
const substring: Implementation = ([value, start, count]) => {
  const from = once(
    textOf(value!),
    text =>
      sql`${once(wholeOf(start!), s => sql`substr(${text}, CASE WHEN ${s} < 0 THEN greatest(length(${text}) + ${s}, 0) ELSE least(${s}, 2147483647) END + 1)`)}`,
  )
  return typed(
    count ? sql`left(${from}, least(greatest(${wholeOf(count)}, 0), 2147483647))` : from,
    'VARCHAR',
  )
}

/** `lpad` and `rpad` cut what is longer than asked for; ours leave it whole. */
const pad =
  (side: Sql): Implementation =>
  ([value, wanted, fill]) => {
    const filling = fill ? textOf(fill) : sql`' '`
    return typed(
      once(textOf(value!), text =>
        once(
          sql`nullif(left(${filling}, ${integer(LONGEST_PAD)}), '')`,
          f =>
            sql`CASE WHEN ${f} IS NULL THEN ${text} ELSE ${side}(${text}, greatest(length(${text}), least(${wholeOf(wanted!)}, ${integer(LONGEST_PAD)}))::INTEGER, ${f}) END`,
        ),
      ),
      'VARCHAR',
    )
  }

const split: Implementation = ([value, separator]) =>
  typed(
    sql`list_transform(string_split(${textOf(value!)}, ${textOf(separator!)}), ${lambda(item => sql`to_json(${item})`)})`,
    'LIST',
  )

const slug: Implementation = ofTexts(
  text => sql`trim(regexp_replace(lower(strip_accents(${text!})), '[^\\p{L}\\p{N}]+', '-', 'g'), '-')`,
)

/** The work grows with the product of the lengths, so they are bounded. */
const similarity: Implementation = ([a, b]) =>
  typed(
    once(sql`left(${textOf(a!)}, 1000)`, x =>
      once(
        sql`left(${textOf(b!)}, 1000)`,
        // Two empty texts are alike, which the formula does not see.
        y => sql`CASE WHEN ${x} = ${y} THEN 1.0::DOUBLE ELSE jaro_winkler_similarity(${x}, ${y}) END`,
      ),
    ),
    'DOUBLE',
  )

export const TEXT: Implementations = {
  lower: ofTexts(text => sql`lower(${text!})`),
  upper: ofTexts(text => sql`upper(${text!})`),
  trim: ofTexts(text => sql`regexp_replace(${text!}, '^[\\s\\p{Z}]+|[\\s\\p{Z}]+$', '', 'g')`),
  len: length,
  contains: ([value, part]) => contains(value!, part!),
  startswith: testOfTexts((text, start) => sql`starts_with(${text!}, ${start!})`),
  endswith: testOfTexts((text, end) => sql`ends_with(${text!}, ${end!})`),
  replace: ofTexts((text, old, next) => sql`replace(${text!}, ${old!}, ${next!})`),
  split,
  substr: substring,
  concat: ofTexts((...texts) => sql`concat(${join(texts, ', ')})`),
  text: ofTexts(text => text!),
  slug,
  lpad: pad(sql`lpad`),
  rpad: pad(sql`rpad`),
  reverse: ofTexts(text => sql`reverse(${text!})`),
  similarity,
}
