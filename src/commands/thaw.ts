import { command } from './command.ts'
import { CommandFailure } from './failure.ts'

export default command({
  name: 'thaw',
  kind: 'source',
  group: 'get',
  summary: 'Gives the rows of a file in the cellar, or of a store',
  help: [
    'The file was put there by `freeze`, or uploaded. The rows are those of the moment at which the stage runs, however often the file changes afterwards.',
    'With `--store` the rows come from that store, and NAME, which may be left out where the store names one itself, is what they are called there: a table, a file, the end of an address. They are read as they come, and never cached; a store that is out of reach is waited for, as in a delivery. Which stores can be read, and how, docs/stores.md says.',
  ].join('\n\n'),
  arguments: [
    {
      name: 'name',
      type: 'text',
      names: 'cellar',
      optional: true,
      help: 'The name of the cellar file. With `--store` that of a table, a file or an object there.',
    },
  ],
  flags: [
    { name: 'store', type: 'text', names: 'store', tokens: 'constant', help: 'The store to read from.' },
  ],
  volatile: ({ flags }) => flags.store !== undefined,
  examples: [
    {
      query: 'range 1 3 n || freeze thawed-numbers || thaw thawed-numbers',
      output: [{ n: 1 }, { n: 2 }, { n: 3 }],
    },
    {
      title: 'Only what is needed of it',
      query:
        'seed [{n: 1, x: "a"}, {n: 2, x: "b"}] || freeze thawed-pairs || thaw thawed-pairs --where "n > 1" --table x',
      output: [{ x: 'b' }],
    },
  ],
  source: ({ args, flags, cellar, readStore }) => {
    if (flags.store !== undefined) return readStore(flags.store, args.name)
    if (args.name !== undefined) return cellar(args.name)
    throw new CommandFailure('no_source', 'Say where the rows come from: a name, --store, or both.')
  },
})
