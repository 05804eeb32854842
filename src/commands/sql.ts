import type { Relation } from '../sql/relation.ts'
import { command } from './command.ts'

export default command({
  name: 'sql',
  kind: 'reduce',
  group: 'rows',
  summary: 'Runs one DuckDB SELECT over the table',
  help: [
    "The table of the previous stage is `input`; labelled stages go by their labels. Nested columns are `JSON`: `col->>'$.a.b'` reads inside them.",
    '',
    'Only a single SELECT runs, in a process of its own with limits on memory and time: no files, no network, no settings. Without ORDER BY the order of the rows is up to DuckDB.',
  ].join('\n'),
  arguments: [{ name: 'select', type: 'sql', help: 'The SELECT statement.' }],
  examples: [
    {
      input: [
        { city: 'Oslo', n: 2 },
        { city: 'Rome', n: 5 },
      ],
      query: 'sql "select city, n * 2 as twice from input where n > 2"',
      output: [{ city: 'Rome', twice: 10 }],
    },
    {
      title: 'A labelled stage beside the input',
      query:
        'seed [{id: 1, name: "a"}] --labelStage names || seed [{id: 1, n: 7}] || sql "select name, n from input join names using (id)"',
      output: [{ name: 'a', n: 7 }],
    },
  ],
  reduce: async ({ input, args, labels, stage, sandbox }) => {
    const tables: Record<string, Relation> = { input }
    // A label that the text merely holds costs a view; one that it uses and does not get costs the query.
    const text = args.select.toLowerCase()
    for (const label of labels) if (text.includes(label.toLowerCase())) tables[label] = await stage(label)
    return sandbox(args.select, tables)
  },
})
