import { type Relation, ROW_NUMBER } from '../sql/relation.ts'
import { bind, integer, join, name, sql } from '../sql/sql.ts'
import { command } from './command.ts'
import { numberAt } from './shared/columns.ts'

export default command({
  name: 'histogram',
  kind: 'reduce',
  group: 'groups',
  summary: 'Counts how the numbers of a column are spread',
  help: 'The stretch from the smallest to the largest number is cut into bins of equal width; each row is a bin with `from`, `to` and `count`, the empty ones too. A bin holds the numbers from `from` up to but not including `to`; the last one includes it. Missing values and text that is no plain number are not counted. When all numbers are equal there is one bin.',
  arguments: [{ name: 'column', type: 'path', help: 'A column of numbers.' }],
  flags: [{ name: 'bins', type: 'integer', default: 10, min: 1, max: 1000, help: 'How many bins.' }],
  decorates: 'attribute',
  examples: [
    {
      input: [{ n: 0 }, { n: 1 }, { n: '4' }, { n: 9 }, { n: 10 }, { city: 'Oslo' }],
      query: 'histogram n --bins 2',
      output: [
        { from: 0, to: 5, count: 3 },
        { from: 5, to: 10, count: 2 },
      ],
    },
    {
      title: 'A nested value; an empty bin',
      input: [{ a: { ms: 1 } }, { a: { ms: 2 } }, { a: { ms: 7 } }],
      query: 'histogram a.ms --bins 3',
      output: [
        { from: 1, to: 3, count: 2 },
        { from: 3, to: 5, count: 0 },
        { from: 5, to: 7, count: 1 },
      ],
    },
    {
      title: 'All equal',
      input: [{ n: 3 }, { n: 3 }],
      query: 'histogram n',
      output: [{ from: 3, to: 3, count: 2 }],
    },
  ],
  reduce: async ({ input, args, flags, probe }) => {
    const value = numberAt(input, args.column)
    const numbers = sql`SELECT ${value} AS v FROM (${input.sql}) WHERE ${value} IS NOT NULL`
    const [found] = await probe(sql`SELECT min(v) AS low, max(v) AS high FROM (${numbers})`)
    const hasNumbers = found?.low != null && found.high != null
    const edges = hasNumbers ? boundaries(Number(found.low), Number(found.high), flags.bins) : []
    const bins = edges.slice(0, -1).map((from, index) => ({ from, to: edges[index + 1]! }))
    return counted(numbers, bins)
  },
})

/** The edges of the bins; the inner ones without the noise that adding up fractions makes. */
function boundaries(low: number, high: number, bins: number): number[] {
  if (low === high) return [low, high]
  const width = high / bins - low / bins
  const inner = Array.from({ length: bins - 1 }, (_, index) =>
    Number((low + (index + 1) * width).toPrecision(12)),
  )
  return [low, ...inner, high]
}

type Numbers = Relation['sql']
interface Bin {
  readonly from: number
  readonly to: number
}

function counted(numbers: Numbers, bins: readonly Bin[]): Relation {
  const list = bins.map(
    (bin, index) => sql`(${integer(index)}, ${bind(bin.from, 'DOUBLE')}, ${bind(bin.to, 'DOUBLE')})`,
  )
  const table =
    list.length > 0
      ? sql`(VALUES ${join(list, ', ')}) AS bin(i, lo, hi)`
      : sql`(SELECT 0 AS i, 0.0 AS lo, 0.0 AS hi LIMIT 0) AS bin`
  // The nearest edge below each number is its bin; the last one has no edge above, so it keeps the largest number.
  const counts = sql`SELECT i AS n, count(*) AS c FROM (${numbers}) AS value ASOF JOIN ${table} ON value.v >= bin.lo GROUP BY i`
  return {
    columns: [
      { name: 'from', id: 'from', type: 'DOUBLE' },
      { name: 'to', id: 'to', type: 'DOUBLE' },
      { name: 'count', id: 'count', type: 'BIGINT' },
    ],
    order: [{ id: ROW_NUMBER }],
    sql: sql`SELECT lo::DOUBLE AS "from", hi::DOUBLE AS "to", coalesce(c, 0)::BIGINT AS "count", i AS ${name(ROW_NUMBER)} FROM ${table} LEFT JOIN (${counts}) ON n = i`,
  }
}
