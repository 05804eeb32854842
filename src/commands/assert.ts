import { slice } from '../sql/order.ts'
import { sql } from '../sql/sql.ts'
import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { rowsOf } from './shared/columns.ts'
import { not } from './shared/conditions.ts'
import { filtered } from './shared/expressions.ts'

const SAMPLE_ROWS = 3

export default command({
  name: 'assert',
  kind: 'reduce',
  group: 'rows',
  summary: 'Fails the query when a row breaks a condition',
  help: 'The rows pass through unchanged when the expression is true of every one of them. Otherwise the query fails with how many broke it and the first of them. A table without rows breaks nothing. A missing value makes a comparison false, so `assert "price > 0"` also asks for a price.',
  arguments: [{ name: 'expression', type: 'expression', help: 'What must be true of every row.' }],
  flags: [{ name: 'message', type: 'text', affectsRows: false, help: 'What to say when it is not.' }],
  decorates: 'attribute',
  examples: [
    {
      input: [{ price: 10 }, { price: '12.50' }],
      query: 'assert "price > 0" --message "every product needs a price"',
      output: [{ price: 10 }, { price: '12.50' }],
    },
    {
      title: 'No rows, nothing broken',
      query: 'range 1 3 n || filter "n > 5" || assert "n > 9"',
      output: [],
    },
  ],
  reduce: async ({ input, args, flags, ...tools }) => {
    const broken = await filtered(input, not(args.expression), tools)
    const [found] = await tools.probe(sql`SELECT count(*) AS n FROM (${broken.sql})`)
    const count = Number(found?.n ?? 0)
    if (count === 0) return input
    const sample = await rowsOf(slice(broken, SAMPLE_ROWS, 0), tools.probe)
    throw new CommandFailure(
      'assertion_failed',
      flags.message ?? `${count === 1 ? 'A row breaks' : `${count} rows break`} the condition of assert.`,
      { hint: `${count} row${count === 1 ? '' : 's'} broke it; the sample shows the first.`, sample },
    )
  },
})
