import { attempt, literal, once, type Sql, sql } from '../sql.ts'
import { textOf } from '../text.ts'
import { typed } from '../value.ts'
import type { Implementation, Implementations } from './implementation.ts'
import { TWO_PART_SUFFIXES } from './suffixes.ts'
import { ofTexts } from './text.ts'

/** scheme, host, path, query; `//host/…` has no scheme. Group numbers are used below. */
const URL = sql`'^(?:([A-Za-z][A-Za-z0-9+.-]*):)?//(?:[^/?#@]*@)?(\\[[^\\]/?#]*\\]|[^/?#:]*)(?::[0-9]*)?([^?#]*)(?:\\?([^#]*))?'`

/** A part of an address, NULL when the text is none or has no such part. */
const part = (text: Sql, group: Sql): Sql => sql`nullif(regexp_extract(trim(${text}), ${URL}, ${group}), '')`

const hostOf = (text: Sql): Sql => sql`lower(${part(text, sql`2`)})`

/** The last two parts of a host, or three under a suffix of two; an address by number is its own. */
const REGISTRABLE = literal(`([^.]+\\.(?:${TWO_PART_SUFFIXES}|[^.]+))$`)
const BY_NUMBER = sql`'[0-9.]+|\\[.*\\]'`

const domain: Implementation = ([value]) => {
  const host = once(
    textOf(value!),
    text =>
      sql`rtrim(CASE WHEN contains(${text}, '//') THEN ${hostOf(text)} ELSE lower(trim(${text})) END, '.')`,
  )
  return typed(
    once(
      sql`nullif(${host}, '')`,
      h =>
        sql`CASE WHEN regexp_full_match(${h}, ${BY_NUMBER}) OR NOT contains(${h}, '.') THEN ${h} ELSE regexp_extract(${h}, ${REGISTRABLE}, 1) END`,
    ),
    'VARCHAR',
  )
}

const pathOf = (text: Sql): Sql =>
  once(
    text,
    t => sql`CASE WHEN regexp_matches(trim(${t}), ${URL}) THEN coalesce(${part(t, sql`3`)}, '/') END`,
  )

const decode = (text: Sql): Sql => attempt(text, t => sql`url_decode(${t})`)

/** `name=value` pairs: a plus is a space there, and a name without a value is empty. */
const query: Implementation = ([value, wanted]) => {
  const whole = part(textOf(value!), sql`4`)
  if (!wanted) return typed(whole, 'VARCHAR')
  return typed(
    once(sql`'&' || ${whole}`, q =>
      once(
        sql`'&' || regexp_escape(${textOf(wanted)}) || '(?:=([^&]*))?(?:&|$)'`,
        p =>
          sql`CASE WHEN regexp_matches(${q}, ${p}) THEN ${decode(sql`replace(regexp_extract(${q}, ${p}, 1), '+', ' ')`)} END`,
      ),
    ),
    'VARCHAR',
  )
}

export const WEB: Implementations = {
  scheme: ofTexts(text => sql`lower(${part(text!, sql`1`)})`),
  host: ofTexts(text => hostOf(text!)),
  domain,
  path: ofTexts(text => pathOf(text!)),
  query,
  urlencode: ofTexts(text => sql`url_encode(${text!})`),
  urldecode: ofTexts(text => decode(text!)),
  absurl: (args, { lift }) => lift(args),
  htmltext: (args, { lift }) => lift(args),
}
