import { DURATION_FORMS, type Duration, parseDuration } from '../../language/expression/duration.ts'
import type { Aggregate, Path } from '../../language/values.ts'
import { type Relation, ROW_NUMBER, where } from '../../sql/relation.ts'
import { bind, join, name, type Sql, sql } from '../../sql/sql.ts'
import { interval, isoText, readTime, timeBin } from '../../sql/time.ts'
import { CommandFailure } from '../failure.ts'
import { assemble } from './assemble.ts'
import { columnNamed, read } from './columns.ts'
import { crossTable } from './cross-table.ts'
import type { Tools } from './expressions.ts'
import { figuresOf } from './figures.ts'

const MOST_STRETCHES = 100_000

interface ChartOptions {
  readonly size: string
  readonly time: Path
  readonly by: Path | undefined
  readonly aggregates: readonly Aggregate[]
}

/** Figures over stretches of time, with the stretches in which nothing happened. */
export async function charted(input: Relation, options: ChartOptions, tools: Tools): Promise<Relation> {
  const size = readSize(options.size)
  const startIn = (relation: Relation): Sql => timeBin(readTime(read(relation, options.time)), size)
  const extent = await extentOf(input, startIn(input), options.time, size, tools)
  const timed = where(input, sql`${startIn(input)} IS NOT NULL`)
  const figures = await figuresOf(timed, options.aggregates, tools)
  const table = await crossTable(
    figures,
    { row: startIn(figures.relation), column: options.by, taken: ['_time'] },
    tools.probe,
  )
  const cells = table.cells.map(({ id, counts }) =>
    counts ? sql`coalesce(${name(id)}, 0) AS ${name(id)}` : name(id),
  )
  const rows: Relation = {
    sql: sql`SELECT t, ${join([...cells, sql`row_number() OVER (ORDER BY t) - 1 AS ${name(ROW_NUMBER)}`], ', ')} FROM (${extent}) LEFT JOIN (${table.sql}) ON r = t`,
    columns: [],
    order: [{ id: ROW_NUMBER }],
  }
  return assemble(rows, [
    { path: columnNamed('_time'), sql: isoText(sql`t`), type: 'VARCHAR' },
    ...table.cells.map(cell => ({ path: columnNamed(cell.name), sql: name(cell.id), type: cell.type })),
  ])
}

function readSize(text: string): Duration {
  const size = parseDuration(text)
  if (size) return size
  throw new CommandFailure('bad_duration', `timechart cannot read "${text}" as a length of time.`, {
    hint: `Write it as ${DURATION_FORMS}.`,
  })
}

/** The beginnings of all stretches from the first to the last that has rows, as `t`. */
async function extentOf(
  input: Relation,
  start: Sql,
  time: Path,
  size: Duration,
  { probe, warn }: Tools,
): Promise<Sql> {
  const [found] = await probe(
    sql`SELECT epoch_ms(min(s)) AS low, epoch_ms(max(s)) AS high, count(*) - count(s) AS lost FROM (SELECT ${start} AS s FROM (${input.sql}))`,
  )
  const lost = Number(found?.lost ?? 0)
  if (lost > 0)
    warn(
      'no_time',
      `${lost} row${lost === 1 ? ' has' : 's have'} no readable time in ${time.text} and ${lost === 1 ? 'is' : 'are'} left out.`,
    )
  if (found?.low == null || found.high == null) return sql`SELECT NULL::TIMESTAMP AS t LIMIT 0`
  const [low, high] = [Number(found.low), Number(found.high)]
  const about = (high - low) / ('months' in size ? size.months * 30 * 86_400_000 : size.seconds * 1000)
  if (about > MOST_STRETCHES)
    throw new CommandFailure(
      'too_many_stretches',
      `The times in ${time.text} span more than ${MOST_STRETCHES} stretches of that size.`,
      { hint: 'Choose a larger size, or filter the rows by time first.' },
    )
  const at = (ms: number): Sql => sql`make_timestamp(${bind(BigInt(ms) * 1000n, 'BIGINT')})`
  return sql`SELECT unnest(generate_series(${at(low)}, ${at(high)}, ${interval(size)})) AS t`
}
