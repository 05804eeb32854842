import { ranked } from '../sql/order.ts'
import { command } from './command.ts'

export default command({
  name: 'reverse',
  kind: 'reduce',
  group: 'rows',
  summary: 'Turns the order of the rows around',
  help: 'The last row comes first. After `sort`, missing values, which were last, come first.',
  arguments: [],
  examples: [
    { query: 'range 1 3 n || reverse', output: [{ n: 3 }, { n: 2 }, { n: 1 }] },
    {
      title: 'A sorted table, back to front',
      input: [{ n: 2 }, { city: 'Rome' }, { n: 1 }],
      query: 'sort n || reverse',
      output: [{ city: 'Rome' }, { n: 2 }, { n: 1 }],
    },
  ],
  reduce: ({ input }) => {
    const { relation } = ranked(input)
    return { ...relation, order: relation.order.map(term => ({ ...term, descending: true })) }
  },
})
