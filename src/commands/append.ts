import { unionAll } from '../sql/union.ts'
import { command } from './command.ts'

export default command({
  name: 'append',
  kind: 'reduce',
  group: 'groups',
  summary: 'Puts the rows of an earlier stage below these',
  help: 'Columns meet by their exact name; one that only one side has is missing on the other. Where both have a column with values of different types, each keeps its own.',
  arguments: [{ name: 'label', type: 'stage', help: 'The label of an earlier stage, or its index from 0.' }],
  examples: [
    {
      query: 'seed [{n: 1}] --labelStage first || seed [{n: 2}] || append first',
      output: [{ n: 2 }, { n: 1 }],
    },
    {
      title: 'Different columns, and one with two types',
      query: 'seed [{id: "a7", x: true}] --labelStage old || seed [{id: 8, y: 0.5}] || append old',
      output: [
        { id: 8, y: 0.5 },
        { id: 'a7', x: true },
      ],
    },
  ],
  reduce: async ({ input, args, stage }) => unionAll(input, await stage(args.label)),
})
