import { command } from './command.ts'

export default command({
  name: 'stage',
  kind: 'source',
  group: 'get',
  summary: 'Gives the rows of an earlier stage again',
  help: 'The stage is named by its `--labelStage` or by its index from 0. What came between is left behind. Its work is not done twice.',
  arguments: [{ name: 'label', type: 'stage', help: 'The label of an earlier stage, or its index from 0.' }],
  examples: [
    {
      query: 'seed [{n: 1}, {n: 2}] --labelStage numbers || stats "sum(n) as total" || stage numbers',
      output: [{ n: 1 }, { n: 2 }],
    },
    { title: 'By index', query: 'range 1 2 n || count || stage 0', output: [{ n: 1 }, { n: 2 }] },
  ],
  source: ({ args, stage }) => stage(args.label),
})
