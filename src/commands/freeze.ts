import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { withoutErrors } from './shared/errors.ts'

export default command({
  name: 'freeze',
  kind: 'reduce',
  group: 'send',
  summary: 'Puts the rows into the cellar under a name, or delivers them to a store',
  help: [
    'The rows go on as they are. `thaw`, `lookup` and `join --cellar` read them, in this query and in later ones, until the file is overwritten or deleted.',
    'The file is there as soon as the stage is done, whatever becomes of the rest of the query, and it changes in one step: whoever reads it has the old rows or the new ones, whole. A query that is taken up after a crash does not append twice.',
    'With `--store` the rows are delivered to that store instead, and NAME, which may then be left out, is the target there: a table, a topic, an object. They are added to what is there, unless `--mode overwrite`. What can succeed later is tried again; rows that the store refuses go to the cellar file `STORE dead letters`, with the reasons. A query that is taken up after a crash goes on with the row that it got to, and each row has an id that stays the same, by which stores that can help take it once: docs/stores.md says which do.',
    'Rows that failed (those with `_error`) are left out, unless `--errors true`.',
  ].join('\n\n'),
  arguments: [
    {
      name: 'name',
      type: 'text',
      tokens: 'constant',
      optional: true,
      help: 'The name of the file: letters, digits, dashes, underscores, dots and blanks. With `--store` the target there.',
    },
  ],
  flags: [
    {
      name: 'mode',
      type: 'choice',
      choices: ['overwrite', 'append'],
      help: 'What becomes of the rows that are there: gone, or first. Without it `overwrite` in the cellar, `append` in a store.',
    },
    { name: 'store', type: 'text', names: 'store', tokens: 'constant', help: 'The store to deliver to.' },
    {
      name: 'format',
      type: 'choice',
      choices: ['ndjson', 'json', 'csv', 'parquet'],
      help: 'How rows are written, where the store takes more than one format.',
    },
    {
      name: 'batch',
      type: 'integer',
      min: 1,
      max: 1_000_000,
      help: 'The most rows that leave at once; never above what the store takes.',
    },
    {
      name: 'key',
      type: 'text',
      repeated: true,
      help: 'The columns that tell rows apart: a row that is there is changed instead of added, where the store can.',
    },
    {
      name: 'errors',
      type: 'boolean',
      default: false,
      help: 'Keep failed rows (those with `_error`) too.',
    },
  ],
  volatile: true,
  examples: [
    { query: 'range 1 2 n || freeze frozen-numbers', output: [{ n: 1 }, { n: 2 }] },
    {
      title: 'Added to what is there, other columns too',
      query:
        'seed [{n: 1}] || freeze frozen-log || seed [{n: "two", at: "noon"}] || freeze frozen-log --mode append || thaw frozen-log',
      output: [{ n: 1 }, { n: 'two', at: 'noon' }],
    },
    {
      title: 'Failed rows stay outside',
      query:
        'seed [{n: 1}, {n: 2, _error: {code: "timeout"}}] || freeze frozen-good || thaw frozen-good || table n',
      output: [{ n: 1 }],
    },
  ],
  reduce: async ({ input, args, flags, materialize, freeze, deliver }) => {
    const table = await materialize(input)
    const rows = flags.errors ? table : withoutErrors(table)
    const { store, mode, format, batch, key = [] } = flags
    if (store !== undefined)
      await deliver(rows, { store, name: args.name, mode: mode ?? 'append', format, batch, key })
    else if (args.name !== undefined) await freeze(args.name, rows, mode ?? 'overwrite')
    else throw new CommandFailure('no_target', 'Say where the rows go: a name, --store, or both.')
    return table
  },
})
