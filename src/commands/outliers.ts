import { where } from '../sql/relation.ts'
import { bind, sql } from '../sql/sql.ts'
import { command } from './command.ts'
import { numberAt } from './shared/columns.ts'

export default command({
  name: 'outliers',
  kind: 'reduce',
  group: 'groups',
  summary: 'Keeps the rows whose number is far from the others',
  help: 'By the interquartile range: with Q1 and Q3 the quartiles of the column and IQR = Q3 − Q1, a value below Q1 − 1.5 IQR or above Q3 + 1.5 IQR is an outlier. `--factor` sets the 1.5: larger finds fewer. Quartiles are interpolated between neighbouring values. Rows without a number (missing, or text that is no plain number) are no outliers.',
  arguments: [{ name: 'column', type: 'path', help: 'A column of numbers.' }],
  flags: [
    {
      name: 'factor',
      type: 'number',
      default: 1.5,
      min: 0,
      help: 'How many interquartile ranges from the quartiles is far.',
    },
  ],
  decorates: 'attribute',
  examples: [
    {
      input: [{ ms: 10 }, { ms: 12 }, { ms: '11' }, { ms: 13 }, { ms: 95 }, { id: 6 }],
      query: 'outliers ms',
      output: [{ ms: 95 }],
    },
    {
      title: 'All equal: none',
      input: [{ ms: 5 }, { ms: 5 }, { ms: 5 }],
      query: 'outliers ms',
      output: [],
    },
  ],
  reduce: async ({ input, args, flags, probe }) => {
    const value = numberAt(input, args.column)
    const [found] = await probe(
      sql`SELECT quantile_cont(v, 0.25) AS q1, quantile_cont(v, 0.75) AS q3 FROM (SELECT ${value} AS v FROM (${input.sql}))`,
    )
    const [q1, q3] = [Number(found?.q1 ?? 0), Number(found?.q3 ?? 0)]
    const reach = flags.factor * (q3 - q1)
    return where(
      input,
      sql`coalesce(${value} < ${bind(q1 - reach, 'DOUBLE')} OR ${value} > ${bind(q3 + reach, 'DOUBLE')}, false)`,
    )
  },
})
