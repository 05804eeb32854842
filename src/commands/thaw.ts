import { command } from './command.ts'

export default command({
  name: 'thaw',
  kind: 'source',
  group: 'get',
  summary: 'Gives the rows of a file in the cellar',
  help: 'The file was put there by `freeze`, or uploaded. The rows are those of the moment at which the stage runs, however often the file changes afterwards.',
  arguments: [{ name: 'name', type: 'text', names: 'cellar', help: 'The name of the cellar file.' }],
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
  source: ({ args, cellar }) => cellar(args.name),
})
