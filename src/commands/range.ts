import type { Path } from '../language/values.ts'
import { type Relation, ROW_NUMBER } from '../sql/relation.ts'
import { bind, integer, name, sql } from '../sql/sql.ts'
import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { assemble } from './shared/assemble.ts'

export default command({
  name: 'range',
  kind: 'source',
  group: 'get',
  summary: 'Makes a row for each number from one to another',
  help: 'Both ends are included where the steps meet them. It counts down when the first number is the larger one: the direction is taken from the two ends, never from the step.',
  arguments: [
    { name: 'from', type: 'number', help: 'The first number.' },
    { name: 'to', type: 'number', help: 'The last number.' },
    { name: 'column', type: 'column', help: 'The column to put it into.' },
  ],
  flags: [{ name: 'step', type: 'number', default: 1, help: 'How far apart the numbers are; more than 0.' }],
  examples: [
    { query: 'range 1 3 page', output: [{ page: 1 }, { page: 2 }, { page: 3 }] },
    {
      title: 'In steps',
      query: 'range 0 100 offset --step 40',
      output: [{ offset: 0 }, { offset: 40 }, { offset: 80 }],
    },
    { title: 'Down, by halves', query: 'range 1 0 n --step 0.5', output: [{ n: 1 }, { n: 0.5 }, { n: 0 }] },
  ],
  source: ({ args, flags }) => numbers(args.from, args.to, flags.step, args.column),
})

function numbers(from: number, to: number, step: number, column: Path): Relation {
  if (!(step > 0))
    throw new CommandFailure('range_step', `range cannot count in steps of ${step}.`, {
      hint: 'Give --step a number above 0; to count down, put the larger number first.',
    })
  const signed = from <= to ? step : -step
  const whole = Number.isSafeInteger(from) && Number.isSafeInteger(signed)
  // A hair more than the quotient, so that 0 to 0.3 by 0.1 has its last step although 0.3 / 0.1 is 2.9999999999999996.
  const last = Math.floor(Math.abs(to - from) / step + 1e-9)
  const row = name(ROW_NUMBER)
  const value = whole
    ? sql`${integer(from)} + ${row} * ${integer(signed)}`
    : sql`round(${bind(from, 'DOUBLE')} + ${row} * ${bind(signed, 'DOUBLE')}, ${integer(decimals(from, step))})`
  const rows: Relation = {
    sql: sql`SELECT range AS ${row} FROM range(${integer(last + 1)})`,
    columns: [],
    order: [{ id: ROW_NUMBER }],
  }
  return assemble(rows, [{ path: column, sql: value, type: whole ? 'BIGINT' : 'DOUBLE' }])
}

/** As many decimals as the numbers were written with, so that no sum of tenths shows 0.30000000000000004. */
const decimals = (...given: readonly number[]): number =>
  Math.max(
    ...given.map(number =>
      /e-(\d+)$/.exec(String(number))?.[1] ? 15 : (String(number).split('.')[1]?.length ?? 0),
    ),
  )
