import { integer, sql } from '../sql/sql.ts'
import { command } from './command.ts'

export default command({
  name: 'sample',
  kind: 'reduce',
  group: 'rows',
  summary: 'Keeps rows picked at random',
  help: 'Every row is as likely as any other; those picked stay in their order. A table with fewer rows stays whole. Each run picks anew, so the result is never cached.',
  arguments: [{ name: 'count', type: 'integer', min: 0, max: 1_000_000, help: 'How many rows to keep.' }],
  volatile: true,
  examples: [
    { query: 'range 1 1000 n || sample 5', columns: ['n'] },
    { title: 'How many came', query: 'range 1 1000 n || sample 5 || count', output: [{ count: 5 }] },
    {
      title: 'More than there are',
      query: 'range 1 3 n || sample 10',
      output: [{ n: 1 }, { n: 2 }, { n: 3 }],
    },
  ],
  reduce: ({ input, args }) => ({
    ...input,
    // An empty reservoir is an error to DuckDB.
    sql:
      args.count === 0
        ? sql`SELECT * FROM (${input.sql}) LIMIT 0`
        : sql`SELECT * FROM (${input.sql}) USING SAMPLE reservoir(${integer(args.count)} ROWS)`,
  }),
})
