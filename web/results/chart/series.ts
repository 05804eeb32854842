import type { Row } from '../../../src/language/json.ts'
import type { Aggregate, Choice } from './choice.ts'
import { numberIn, type Profile, textIn, timeIn } from './profile.ts'

export interface Series {
  readonly name: string
  /** In the order of the categories; with a number or a time along x, pairs. */
  readonly data: readonly (number | null | readonly [number, number])[]
}

export interface ChartData {
  readonly axis: 'category' | 'value' | 'time'
  readonly categories: readonly string[]
  readonly series: readonly Series[]
  /** What had to be left out, in words. */
  readonly notes: readonly string[]
}

const MOST_CATEGORIES = 500
const MOST_GROUPS = 12

/** The numbers that a chart is drawn of. */
export function chartData(rows: readonly Row[], choice: Choice, profiles: readonly Profile[]): ChartData {
  if (choice.type === 'histogram') return histogram(rows, choice.y[0])
  const kind = profiles.find(({ name }) => name === choice.x)?.kind
  const alongValues = choice.type !== 'bar' && (kind === 'number' || kind === 'time')
  const { parts, notes } = split(rows, choice)
  return alongValues
    ? { ...pairs(parts, choice, kind), notes }
    : categorical(rows, parts, choice, notes, kind === 'time')
}

interface Part {
  readonly name: string
  readonly rows: readonly Row[]
  readonly column: string
}

/** One part for each value that is drawn, and for each group. */
function split(rows: readonly Row[], { y, group, aggregate }: Choice): { parts: Part[]; notes: string[] } {
  const columns = aggregate === 'count' ? ['count'] : y
  if (group === null) return { parts: columns.map(column => ({ name: column, rows, column })), notes: [] }
  const groups = [...Map.groupBy(rows, row => textIn(row[group]))]
  const kept = groups.toSorted(([, a], [, b]) => b.length - a.length).slice(0, MOST_GROUPS)
  const parts = kept.flatMap(([name, members]) =>
    columns.map(column => ({
      name: columns.length > 1 ? `${name}, ${column}` : name,
      rows: members,
      column,
    })),
  )
  const notes = groups.length > kept.length ? [`the ${kept.length} largest of ${groups.length} groups`] : []
  return { parts, notes }
}

function combine(rows: readonly Row[], column: string, aggregate: Aggregate): number | null {
  if (aggregate === 'count') return rows.length
  const numbers = rows.map(row => numberIn(row[column])).filter(value => value !== null)
  if (numbers.length === 0) return null
  if (aggregate === 'none') return numbers[0]!
  const sum = numbers.reduce((total, value) => total + value, 0)
  return aggregate === 'sum' ? sum : sum / numbers.length
}

function pairs(parts: readonly Part[], { x, type, aggregate }: Choice, kind: 'number' | 'time') {
  const read = kind === 'time' ? timeIn : numberIn
  const series = parts.map(({ name, rows, column }) => {
    const placed = rows.flatMap(row => {
      const at = read(row[x!])
      return at === null ? [] : [{ at, row }]
    })
    const points: (readonly [number, number])[] =
      aggregate === 'none'
        ? placed.flatMap(({ at, row }) => {
            const value = numberIn(row[column])
            return value === null ? [] : [[at, value] as const]
          })
        : [...Map.groupBy(placed, ({ at }) => at)].flatMap(([at, members]) => {
            const value = combine(
              members.map(({ row }) => row),
              column,
              aggregate,
            )
            return value === null ? [] : [[at, value] as const]
          })
    return { name, data: type === 'line' ? points.toSorted(([a], [b]) => a - b) : points }
  })
  return { axis: kind === 'time' ? ('time' as const) : ('value' as const), categories: [], series }
}

function categorical(
  rows: readonly Row[],
  parts: readonly Part[],
  { x, group, aggregate }: Choice,
  notes: readonly string[],
  isTime: boolean,
): ChartData {
  const nameOf = (row: Row, index: number) => (x === null ? String(index + 1) : textIn(row[x]))
  // Row by row, names that repeat stay apart.
  if (aggregate === 'none' && group === null) {
    const kept = rows.slice(0, MOST_CATEGORIES)
    return {
      axis: 'category',
      categories: kept.map(nameOf),
      series: parts.map(({ name, column }) => ({ name, data: kept.map(row => numberIn(row[column])) })),
      notes: rows.length > kept.length ? [...notes, `the first ${kept.length} rows`] : notes,
    }
  }
  const names = [...new Set(rows.map(nameOf))]
  const ordered = isTime ? names.sort() : names
  const kept = ordered.slice(0, MOST_CATEGORIES)
  return {
    axis: 'category',
    categories: kept,
    series: parts.map(part => {
      const members = Map.groupBy(part.rows, nameOf)
      return {
        name: part.name,
        data: kept.map(name => {
          const found = members.get(name)
          return found ? combine(found, part.column, aggregate) : null
        }),
      }
    }),
    notes: names.length > kept.length ? [...notes, `the first ${kept.length} of ${names.length}`] : notes,
  }
}

const MOST_BINS = 40

function histogram(rows: readonly Row[], column: string | undefined): ChartData {
  const numbers =
    column === undefined ? [] : rows.map(row => numberIn(row[column])).filter(value => value !== null)
  if (numbers.length === 0) return { axis: 'category', categories: [], series: [], notes: [] }
  const least = numbers.reduce((a, b) => Math.min(a, b))
  const most = numbers.reduce((a, b) => Math.max(a, b))
  const wanted = Math.min(MOST_BINS, Math.max(5, Math.ceil(Math.sqrt(numbers.length))))
  const step = roundStep((most - least) / wanted)
  const from = Math.floor(least / step) * step
  const bins = new Array<number>(Math.max(1, Math.floor((most - from) / step) + 1)).fill(0)
  for (const value of numbers) bins[Math.floor((value - from) / step)]! += 1
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  const edge = (index: number) => (from + index * step).toFixed(Math.min(digits, 12))
  return {
    axis: 'category',
    categories: bins.map((_, index) => `${edge(index)} – ${edge(index + 1)}`),
    series: [{ name: 'rows', data: bins }],
    notes: [],
  }
}

/** 1, 2 or 5 times a power of ten: edges that one can read. */
function roundStep(step: number): number {
  if (!(step > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = [1, 2, 5, 10].find(candidate => candidate * power >= step) ?? 10
  return factor * power
}
