import { where } from '../sql/relation.ts'
import { join, sql } from '../sql/sql.ts'
import { command } from './command.ts'
import { anyValue, textFinder } from './shared/finding.ts'

export default command({
  name: 'find',
  kind: 'reduce',
  group: 'rows',
  summary: 'Keeps the rows that hold a text in any column',
  help: 'Several texts: any of them is enough, with `--all` each must be there, in whatever column. Letter case is ignored unless `--case`. Nested values are searched too, at any depth; names of columns and keys are not.',
  arguments: [{ name: 'texts', type: 'text', repeated: true, help: 'The texts to look for.' }],
  flags: [
    { name: 'all', type: 'boolean', default: false, help: 'All texts must be there, not just one.' },
    { name: 'regex', type: 'boolean', default: false, help: 'The texts are regular expressions.' },
    { name: 'case', type: 'boolean', default: false, help: 'Letter case counts.' },
  ],
  examples: [
    {
      title: 'Any column, nested ones too, whatever the letter case',
      input: [{ title: 'LAMP' }, { a: { tags: ['lamp', 'red'] } }, { a: { lamp: 1 } }, { n: 5 }],
      query: 'find lamp',
      output: [{ title: 'LAMP' }, { a: { tags: ['lamp', 'red'] } }],
    },
    {
      title: 'All of several',
      input: [
        { title: 'Red lamp', n: 12 },
        { title: 'Red chair', n: 7 },
      ],
      query: 'find red 12 --all',
      output: [{ title: 'Red lamp', n: 12 }],
    },
    {
      title: 'A regular expression, with letter case',
      input: [{ code: 'AB-12' }, { code: 'ab-12' }],
      query: String.raw`find "[A-Z]-\d+" --regex --case`,
      output: [{ code: 'AB-12' }],
    },
  ],
  reduce: ({ input, args, flags }) => {
    const found = args.texts.map(text => anyValue(input, textFinder(text, flags)))
    return where(input, sql`(${join(found, flags.all ? ' AND ' : ' OR ')})`)
  },
})
