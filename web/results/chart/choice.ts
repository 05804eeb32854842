import type { Profile } from './profile.ts'

export type ChartType = 'bar' | 'line' | 'histogram' | 'scatter'
export type Aggregate = 'none' | 'sum' | 'avg' | 'count'

export interface Choice {
  readonly type: ChartType
  readonly x: string | null
  readonly y: readonly string[]
  readonly group: string | null
  readonly aggregate: Aggregate
}

/** What people most often want to see comes first. */
const WANTED = [
  /price|cost|amount|revenue/i,
  /total|sum|avg|mean|median/i,
  /count|^n$/i,
  /rating|score|value/i,
]
const NAMES = /name|title|product|label|item/i
const SUMMABLE = /total|sum|amount|revenue|count|size|bytes|^n$/i

/** More bars than that are a fence. */
const MOST_BARS = 40

/** A number that never changes is worth less than one that does, and one that names a thing the least. */
const interest = ({ name, isId, distinct }: Profile): number => {
  const found = WANTED.findIndex(pattern => pattern.test(name))
  return (found < 0 ? WANTED.length : found) + (distinct > 1 ? 0 : 50) + (isId ? 100 : 0)
}

/** The chart that most likely shows what is of interest, by the types and the names of the columns. */
export function chooseChart(profiles: readonly Profile[], rows: number): Choice {
  const numbers = profiles.filter(({ kind }) => kind === 'number').sort((a, b) => interest(a) - interest(b))
  const texts = profiles.filter(({ kind, distinct }) => kind === 'text' && distinct > 1)
  const time = profiles.find(({ kind, distinct }) => kind === 'time' && distinct > 1)
  const repeated = texts.filter(({ distinct }) => distinct <= MOST_BARS && distinct < rows)
  const measure = numbers.find(({ isId }) => !isId) ?? numbers[0]
  if (!measure) return counted(repeated[0] ?? texts[0])
  const y = [measure.name]
  if (isHistogram(profiles)) return { type: 'bar', x: 'from', y: ['count'], group: null, aggregate: 'none' }
  // A table of things that have names is about them, whenever they were added.
  const isOfThings = texts.some(({ name, distinct }) => NAMES.test(name) && distinct > rows * 0.9)
  if (time && !isOfThings) {
    const aggregate = time.distinct === rows ? 'none' : SUMMABLE.test(measure.name) ? 'sum' : 'avg'
    return { type: 'line', x: time.name, y, group: null, aggregate }
  }
  const labels = texts.filter(({ distinct }) => distinct > rows * 0.9 && rows <= MOST_BARS)
  const label = labels.find(({ name }) => NAMES.test(name)) ?? labels[0]
  if (label) return { type: 'bar', x: label.name, y, group: null, aggregate: 'none' }
  const category = repeated[0]
  if (category && rows <= MOST_BARS * 50)
    return { type: 'bar', x: category.name, y, group: null, aggregate: 'avg' }
  const rising = numbers.find(({ isRising, name }) => isRising && name !== measure.name)
  if (rising && !category) return { type: 'line', x: rising.name, y, group: null, aggregate: 'none' }
  const second = numbers.find(({ name, isId }) => name !== measure.name && !isId)
  if (second && !category && texts.length === 0)
    return { type: 'scatter', x: second.name, y, group: null, aggregate: 'none' }
  return { type: 'histogram', x: null, y, group: null, aggregate: 'none' }
}

/** The result of the command of that name. */
const isHistogram = (profiles: readonly Profile[]): boolean =>
  ['from', 'to', 'count'].every(name => profiles.some(profile => profile.name === name))

const counted = (category: Profile | undefined): Choice => ({
  type: 'bar',
  x: category?.name ?? null,
  y: [],
  group: null,
  aggregate: 'count',
})
