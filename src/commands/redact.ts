import { re2Pattern } from '../language/re2.ts'
import { bind, literal, type Sql, sql } from '../sql/sql.ts'
import { textOf } from '../sql/text.ts'
import { shared, typed } from '../sql/value.ts'
import { command } from './command.ts'
import { changed } from './shared/values.ts'

const REDACTED = '[redacted]'

export default command({
  name: 'redact',
  kind: 'reduce',
  group: 'columns',
  summary: 'Makes values unreadable',
  help: 'In place: the whole value becomes `[redacted]`, or with `--pattern` each match in it. With a pattern numbers are taken as text, objects and arrays as JSON; a value without a match stays as it is. Missing stays missing. To be able to tell equal values from different ones use `hash` and `drop`.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: false, help: 'The columns to redact.' },
  ],
  flags: [{ name: 'pattern', type: 'regex', help: 'Redact only what this regular expression matches.' }],
  decorates: 'multiattribute',
  examples: [
    {
      input: [{ user: 'ada', a: { token: 'x1', n: 1 } }, { a: { n: 2 } }],
      query: 'redact user a.token',
      output: [{ user: '[redacted]', a: { token: '[redacted]', n: 1 } }, { a: { n: 2 } }],
    },
    {
      title: 'Only what matches; a number without a match stays a number',
      input: [{ t: 'call 555-1234 or 555-9876' }, { t: 12 }, { id: 3 }],
      query: String.raw`redact t --pattern "\d{3}-\d{4}"`,
      output: [{ t: 'call [redacted] or [redacted]' }, { t: 12 }, { id: 3 }],
    },
  ],
  reduce: ({ input, args, flags }) =>
    changed(input, args.columns, value => {
      if (flags.pattern === undefined)
        return typed(sql`CASE WHEN ${value.sql} IS NOT NULL THEN ${literal(REDACTED)} END`, 'VARCHAR')
      const pattern = bind(re2Pattern(flags.pattern), 'VARCHAR')
      const redacted = (text: Sql) => sql`regexp_replace(${text}, ${pattern}, ${literal(REDACTED)}, 'g')`
      if (value.type === 'VARCHAR') return typed(redacted(value.sql), 'VARCHAR')
      return typed(
        shared(value, v => {
          const text = textOf(v)
          return sql`CASE WHEN regexp_matches(${text}, ${pattern}) THEN to_json(${redacted(text)}) ELSE to_json(${v.sql}) END`
        }),
        'JSON',
      )
    }),
})
