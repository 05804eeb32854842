import { command } from './command.ts'
import { matchesRegex } from './shared/conditions.ts'
import { filtered } from './shared/expressions.ts'

export default command({
  name: 'matches',
  kind: 'reduce',
  group: 'rows',
  summary: 'Keeps the rows whose column matches a regular expression',
  help: 'The expression may match anywhere in the text: `^` and `$` tie it to the ends, `(?i)` in front ignores letter case. It is RE2, so there is no look-around. A missing value matches nothing.',
  arguments: [
    { name: 'column', type: 'path', help: 'The column to look at.' },
    { name: 'regex', type: 'regex', help: 'The regular expression.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      input: [{ code: 'AB-12' }, { code: 'AB-1' }, { id: 3 }],
      query: String.raw`matches code "^[A-Z]+-\d{2}$"`,
      output: [{ code: 'AB-12' }],
    },
    {
      title: 'Any letter case, inside a nested value',
      input: [{ a: { href: '/Shop/7' } }, { a: { href: '/about' } }],
      query: 'matches a.href "(?i)^/shop/"',
      output: [{ a: { href: '/Shop/7' } }],
    },
  ],
  reduce: ({ input, args, ...tools }) => filtered(input, matchesRegex(args.column, args.regex), tools),
})
