import type { EChartsCoreOption } from 'echarts/core'
import { count } from '../../components/numbers.ts'
import type { Choice } from './choice.ts'
import type { ChartData } from './series.ts'

const colours = {
  light: { text: '#343a40', faint: '#dee2e6', page: '#ffffff' },
  dark: { text: '#c9c9c9', faint: '#424242', page: '#242424' },
} as const

export const pageColour = (scheme: 'light' | 'dark'): string => colours[scheme].page

const series = [
  '#2f7d42',
  '#1c7ed6',
  '#e67700',
  '#9c36b5',
  '#0c8599',
  '#d6336c',
  '#5f3dc4',
  '#74b816',
  '#868e96',
]

/** So many bars fit side by side; a slider shows a part of more. */
const MOST_AT_ONCE = 60

export function chartOptions(choice: Choice, data: ChartData, scheme: 'light' | 'dark'): EChartsCoreOption {
  const { text, faint } = colours[scheme]
  const axisStyle = {
    axisLabel: { color: text, hideOverlap: true, width: 130, overflow: 'truncate' },
    axisLine: { lineStyle: { color: faint } },
    splitLine: { lineStyle: { color: faint } },
    nameTextStyle: { color: text },
  }
  const isLong = data.axis === 'category' && data.categories.some(name => name.length > 8)
  const isMany = data.categories.length > MOST_AT_ONCE
  const type = choice.type === 'histogram' ? 'bar' : choice.type
  return {
    color: series,
    textStyle: { fontFamily: 'system-ui, sans-serif' },
    aria: { enabled: true, label: { description: describe(choice, data) } },
    animationDuration: 300,
    // Labels of one line each: the tooltip is drawn, so nothing in the data is ever read as HTML.
    tooltip: { trigger: type === 'scatter' ? 'item' : 'axis', renderMode: 'richText', confine: true },
    legend: {
      show: data.series.length > 1,
      type: 'scroll',
      textStyle: { color: text },
      pageTextStyle: { color: text },
    },
    grid: {
      left: 12,
      right: 24,
      top: data.series.length > 1 ? 52 : 36,
      bottom: isMany ? 56 : 12,
      outerBoundsMode: 'same',
    },
    xAxis: {
      type: data.axis,
      ...(data.axis === 'category' && { data: data.categories }),
      ...(data.axis === 'value' && { scale: true }),
      ...axisStyle,
      axisLabel: {
        ...axisStyle.axisLabel,
        ...(isLong && data.categories.length > 6 && { rotate: 40 }),
      },
      splitLine: { show: data.axis === 'value', lineStyle: { color: faint } },
    },
    yAxis: {
      type: 'value',
      name: nameOfY(choice),
      scale: type === 'scatter',
      ...(isCount(choice) && { minInterval: 1 }),
      ...axisStyle,
      nameTextStyle: { color: text, align: 'left' },
    },
    ...(isMany && {
      dataZoom: [{ type: 'slider', endValue: MOST_AT_ONCE, startValue: 0, bottom: 12, height: 22 }],
    }),
    series: data.series.map(({ name, data: values }) => ({
      type,
      name,
      data: values,
      ...(type === 'bar' && {
        barMaxWidth: 48,
        ...(choice.type === 'histogram' && { barCategoryGap: '4%' }),
      }),
      ...(type === 'line' && { showSymbol: values.length < 100 }),
      ...(type === 'scatter' && { symbolSize: values.length > 1000 ? 4 : 8, large: values.length > 3000 }),
    })),
  }
}

/** There are no half rows. */
const isCount = ({ type, aggregate }: Choice): boolean => type === 'histogram' || aggregate === 'count'

const nameOfY = ({ type, y, aggregate }: Choice): string => {
  if (type === 'histogram') return 'rows'
  if (aggregate === 'count') return 'count'
  const names = y.length > 2 ? '' : y.join(', ')
  return aggregate === 'none' ? names : `${aggregate} of ${names}`
}

/** The chart in a sentence, for whoever does not see it. */
function describe(choice: Choice, data: ChartData): string {
  const values = data.series
    .flatMap(({ data: points }) =>
      points.map(point => (typeof point === 'object' && point !== null ? point[1] : point)),
    )
    .filter(value => value !== null)
  if (values.length === 0) return 'An empty chart'
  const least = values.reduce((a, b) => Math.min(a, b))
  const most = values.reduce((a, b) => Math.max(a, b))
  const what =
    choice.type === 'histogram'
      ? `Histogram of ${choice.y[0]}`
      : `${{ bar: 'Bar', line: 'Line', scatter: 'Scatter' }[choice.type]} chart of ${nameOfY(choice)}${choice.x === null ? '' : ` by ${choice.x}`}${choice.group === null ? '' : `, grouped by ${choice.group}`}`
  return `${what}: ${count(values.length)} values from ${round(least)} to ${round(most)}.`
}

const round = (value: number): string => String(Number(value.toPrecision(6)))
