import { compile } from '../sql/expression.ts'
import { withoutLifted } from '../sql/lift.ts'
import { command } from './command.ts'
import { prepared } from './shared/expressions.ts'
import { written } from './shared/values.ts'

export default command({
  name: 'eval',
  kind: 'reduce',
  group: 'columns',
  summary: 'Computes a column from an expression',
  help: [
    'The expression may use the other columns, operators and functions: `eval total "price * qty"`. With a missing value arithmetic gives none; dividing by zero gives none and a warning. A path as the name writes inside a nested value; a column of that name is replaced. `functions` lists the functions.',
    '',
    'As the first stage it starts from one empty row.',
  ].join('\n'),
  arguments: [
    { name: 'name', type: 'column', help: 'The column to write.' },
    { name: 'expression', type: 'expression', help: 'How to compute it.' },
  ],
  startsFromEmptyRow: true,
  decorates: 'attribute',
  examples: [
    {
      title: 'Numbers in text count; a missing one gives nothing',
      input: [{ price: '2.50', qty: 4 }, { price: 3 }],
      query: 'eval total "price * qty"',
      output: [{ price: '2.50', qty: 4, total: 10 }, { price: 3 }],
    },
    {
      title: 'Inside a nested value',
      input: [{ a: { first: 'Ada' } }, { n: 2 }],
      query: `eval a.name "upper(a.first)"`,
      output: [{ a: { first: 'Ada', name: 'ADA' } }, { n: 2 }],
    },
    {
      title: 'A column in place, by a condition',
      input: [{ n: 5 }, { n: 50 }, { n: null }],
      query: `eval n "if(n > 10, 'many', n)"`,
      output: [{ n: 5 }, { n: 'many' }, {}],
    },
    {
      title: 'In a query of its own',
      query: `eval host "host('https://Shop.example/a')" || eval parts "split('a-b', '-')"`,
      output: [{ host: 'shop.example', parts: ['a', 'b'] }],
    },
  ],
  reduce: async ({ input, args, materialize, ...tools }) => {
    const { relation, compiled } = await prepared(
      input,
      (columns, options) => compile(args.expression, columns, options),
      tools,
    )
    const result = withoutLifted(written(relation, [{ path: args.name, value: compiled }]))
    // A UUID that a later stage looks at again must be the same one.
    return compiled.volatile ? materialize(result) : result
  },
})
