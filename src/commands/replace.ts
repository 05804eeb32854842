import { groupsOf, re2Pattern } from '../language/re2.ts'
import { bind, sql } from '../sql/sql.ts'
import { textOf } from '../sql/text.ts'
import { typed } from '../sql/value.ts'
import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { changed } from './shared/values.ts'

export default command({
  name: 'replace',
  kind: 'reduce',
  group: 'columns',
  summary: 'Replaces what a regular expression matches',
  help: 'In place, every match. In the new text `\\1` to `\\9` stand for the groups and `\\0` for the whole match; an empty text takes the matches away. Numbers are taken as text, objects and arrays as JSON. The expression is RE2; `(?i)` in front ignores letter case.',
  arguments: [
    { name: 'column', type: 'path', help: 'The column to change.' },
    { name: 'regex', type: 'regex', help: 'What to look for.' },
    { name: 'text', type: 'text', help: 'What to put in its place.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      input: [{ price: '1.299,00 kr' }, { id: 2 }, { price: 12.5 }],
      query: String.raw`replace price "[^\d]" ""`,
      output: [{ price: '129900' }, { id: 2 }, { price: '125' }],
    },
    {
      title: 'Groups change places, nested',
      input: [{ a: { name: 'Lovelace, Ada' } }, { a: { name: 'Curie' } }],
      query: String.raw`replace a.name "^(\w+), (\w+)$" "\2 \1"`,
      output: [{ a: { name: 'Ada Lovelace' } }, { a: { name: 'Curie' } }],
    },
    {
      title: 'The match itself, and a backslash',
      input: [{ t: 'a b' }],
      query: String.raw`replace t "[a-z]" "<\0>" || replace t " " "\\\\"`,
      output: [{ t: String.raw`<a>\<b>` }],
    },
  ],
  reduce: ({ input, args }) => {
    const pattern = bind(re2Pattern(args.regex), 'VARCHAR')
    const rewrite = bind(rewriteOf(args.text, args.regex), 'VARCHAR')
    return changed(input, [args.column], value =>
      typed(sql`regexp_replace(${textOf(value)}, ${pattern}, ${rewrite}, 'g')`, 'VARCHAR'),
    )
  },
})

/** The new text as RE2 takes it, to which a backslash before anything but a digit or another one is an error. */
function rewriteOf(text: string, regex: string): string {
  const { count } = groupsOf(regex)
  return text.replace(/\\([\s\S]?)/g, (found, next: string) => {
    if (next === '\\') return found
    if (!/\d/.test(next)) return `\\\\${next}`
    if (Number(next) <= count) return found
    throw new CommandFailure(
      'replace_group',
      `The text asks for group ${next}, but the expression has ${count}.`,
      {
        hint: 'Put the part into brackets: "(\\w+), (\\w+)" has the groups 1 and 2.',
      },
    )
  })
}
