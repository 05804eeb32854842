import { sortedBy } from '../sql/order.ts'
import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { sortKeys } from './shared/sorting.ts'

export default command({
  name: 'sort',
  aliases: ['orderBy'],
  kind: 'reduce',
  group: 'rows',
  summary: 'Sorts the rows by one or more columns',
  help: [
    'Later columns decide where the earlier ones are equal, and rows that are equal in all of them keep their order. Missing values come last in both orders.',
    '',
    'A column in which every value is a number, or text that is a plain number, sorts as numbers; any other sorts as text, capital letters before small ones. `--text` sorts numbers as text too.',
  ].join('\n'),
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: false, help: 'The columns to sort by.' },
  ],
  flags: [
    {
      name: 'order',
      type: 'choice',
      choices: ['ascending', 'descending'],
      repeated: true,
      help: 'One order for all columns, or one for each. Ascending unless told.',
    },
    {
      name: 'text',
      type: 'boolean',
      default: false,
      help: 'Sort as text, even where all values are numbers.',
    },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      title: 'Numbers in text sort as numbers; the missing one comes last',
      input: [{ price: '9.5' }, { city: 'Oslo' }, { price: '10' }, { price: '1e1', id: 4 }],
      query: 'sort price --order descending',
      output: [{ price: '10' }, { price: '1e1', id: 4 }, { price: '9.5' }, { city: 'Oslo' }],
    },
    {
      title: 'As text',
      input: [{ n: 9 }, { n: 10 }, { n: 2 }],
      query: 'sort n --text',
      output: [{ n: 10 }, { n: 2 }, { n: 9 }],
    },
    {
      title: 'Two columns, each with its order',
      input: [
        { city: 'Rome', a: { n: 1 } },
        { city: 'Oslo', a: { n: 1 } },
        { city: 'Oslo', a: { n: 20 } },
      ],
      query: 'sort city a.n --order ascending --order descending',
      output: [
        { city: 'Oslo', a: { n: 20 } },
        { city: 'Oslo', a: { n: 1 } },
        { city: 'Rome', a: { n: 1 } },
      ],
    },
  ],
  reduce: async ({ input, args, flags, probe }) => {
    const orders = flags.order ?? []
    if (orders.length > 1 && orders.length !== args.columns.length)
      throw new CommandFailure(
        'sort_orders',
        `sort has ${args.columns.length} column(s) but ${orders.length} orders.`,
        { hint: 'Give --order once for all columns, or once for each of them.' },
      )
    const keys = await sortKeys(input, args.columns, flags.text, probe)
    return sortedBy(
      input,
      keys.map((key, index) => ({ sql: key, descending: (orders[index] ?? orders[0]) === 'descending' })),
    )
  },
})
