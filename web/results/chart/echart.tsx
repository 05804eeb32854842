import { BarChart, LineChart, ScatterChart } from 'echarts/charts'
import {
  AriaComponent,
  DataZoomSliderComponent,
  GridComponent,
  LegendScrollComponent,
  TooltipComponent,
} from 'echarts/components'
import { type ECharts, type EChartsCoreOption, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'

use([
  BarChart,
  LineChart,
  ScatterChart,
  AriaComponent,
  DataZoomSliderComponent,
  GridComponent,
  LegendScrollComponent,
  TooltipComponent,
  CanvasRenderer,
])

export interface ChartHandle {
  readonly picture: (background: string) => string
}

interface Props {
  readonly option: EChartsCoreOption
  readonly height: number
  readonly ref: Ref<ChartHandle>
}

export function Chart({ option, height, ref }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(null)
  useEffect(() => {
    const made = init(element.current!)
    chart.current = made
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(element.current!)
    return () => {
      observer.disconnect()
      made.dispose()
    }
  }, [])
  useEffect(() => {
    chart.current?.setOption(option, { notMerge: true })
  }, [option])
  useImperativeHandle(ref, () => ({
    picture: background =>
      chart.current?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: background }) ?? '',
  }))
  return <div ref={element} role="img" style={{ height, width: '100%' }} />
}
