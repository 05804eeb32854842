import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

export const ROW_HEIGHT = 32
export const HEADER_HEIGHT = 46

/** Browsers draw nothing below 17 (Firefox) or 33 (Chromium) million pixels: taller tables scroll by proportion. */
const TALLEST = 8_000_000

interface Position {
  /** What the browser has scrolled. */
  readonly scrolled: number
  /** How far down the table that is, in pixels of its rows. */
  readonly top: number
}

export interface TallScroll {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly position: Position
  /** Of the part that rows are seen in. */
  readonly height: number
  readonly width: number
  /** Of the element that makes the scrollbar. */
  readonly bodyHeight: number
  readonly onScroll: () => void
  readonly showRow: (row: number) => void
}

/** The scrolling of a table of any number of rows that are all of one height. */
export function useTallScroll(rows: number): TallScroll {
  const ref = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ height: 0, width: 0 })
  const [position, setPosition] = useState<Position>({ scrolled: 0, top: 0 })
  const latest = useRef(position)
  const content = rows * ROW_HEIGHT
  const bodyHeight = Math.min(content, TALLEST)
  const lowest = Math.max(0, content - size.height)
  /** Pixels of rows for each pixel that the browser scrolls. */
  const ratio = content <= TALLEST ? 1 : lowest / Math.max(1, bodyHeight - size.height)

  const place = useCallback((next: Position) => {
    latest.current = next
    setPosition(next)
  }, [])

  const moveTo = useCallback(
    (wanted: number) => {
      const element = ref.current
      if (!element) return
      const top = Math.min(Math.max(0, wanted), lowest)
      element.scrollTop = top / ratio
      place({ scrolled: element.scrollTop, top })
    },
    [lowest, ratio, place],
  )

  const onScroll = useCallback(() => {
    const scrolled = ref.current?.scrollTop ?? 0
    // Where we put it ourselves we know the row exactly; the scrollbar alone cannot say it of a million.
    if (Math.abs(scrolled - latest.current.scrolled) < 1) return
    place({ scrolled, top: Math.min(scrolled * ratio, Math.max(lowest, 0)) })
  }, [ratio, lowest, place])

  useLayoutEffect(() => {
    const element = ref.current!
    const measure = () =>
      setSize({ height: Math.max(0, element.clientHeight - HEADER_HEIGHT), width: element.clientWidth })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // By proportion one turn of the wheel would skip rows: it moves by its own pixels instead.
  useEffect(() => {
    const element = ref.current!
    if (ratio === 1) return
    const onWheel = (event: WheelEvent) => {
      const { top } = latest.current
      const wanted = top + event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? ROW_HEIGHT : 1)
      if (event.ctrlKey || event.shiftKey || event.deltaY === 0) return
      if ((wanted < 0 && top === 0) || (wanted > lowest && top === lowest)) return
      event.preventDefault()
      moveTo(wanted)
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [ratio, lowest, moveTo])

  const showRow = useCallback(
    (row: number) => {
      const { top } = latest.current
      const start = row * ROW_HEIGHT
      if (start < top) moveTo(start)
      else if (start + ROW_HEIGHT > top + size.height) moveTo(start + ROW_HEIGHT - size.height)
    },
    [moveTo, size.height],
  )
  return { ref, position, ...size, bodyHeight, onScroll, showRow }
}
