import type { Json, Row } from './json.ts'
import type { Path } from './values.ts'

export type PathProblem = { readonly problem: 'empty' | 'unclosed' | 'afterQuote'; readonly offset: number }

/**
 * Reads `results.0.name`, `` `a b`.x ``, `a.*`. Inside back-ticks two of them are one, so any name can be written.
 * Empty segments are names like any other: a column may be called `Approx.`.
 */
export function parsePath(text: string): Path | PathProblem {
  if (text === '') return { problem: 'empty', offset: 0 }
  if (!text.includes('`')) return plainPath(text)
  const segments: string[] = []
  let wildcard = false
  for (let at = 0; ; ) {
    if (text[at] === '`') {
      const end = closingBacktick(text, at)
      if (end < 0) return { problem: 'unclosed', offset: at }
      segments.push(text.slice(at + 1, end).replaceAll('``', '`'))
      at = end + 1
      if (at < text.length && text[at] !== '.') return { problem: 'afterQuote', offset: at }
    } else {
      const end = segmentEnd(text, at)
      const segment = text.slice(at, end)
      if (segment.includes('`')) return { problem: 'afterQuote', offset: at + segment.indexOf('`') }
      if (segment === '*' && end === text.length) wildcard = true
      else segments.push(segment)
      at = end
    }
    if (at >= text.length) return wildcard ? { text, segments, wildcard } : { text, segments }
    at++
  }
}

function plainPath(text: string): Path {
  const segments = text.split('.')
  if (segments.at(-1) !== '*') return { text, segments }
  return { text, segments: segments.slice(0, -1), wildcard: true }
}

function segmentEnd(text: string, from: number): number {
  const dot = text.indexOf('.', from)
  return dot < 0 ? text.length : dot
}

/** Where the name that opens at `open` closes: two back-ticks are one of its characters. -1: nowhere. */
export function closingBacktick(text: string, open: number): number {
  for (let at = open + 1; ; ) {
    const next = text.indexOf('`', at)
    if (next < 0) return -1
    if (text[next + 1] !== '`') return next
    at = next + 2
  }
}

const PLAIN_SEGMENT = /^[\p{L}\p{N}\p{M}_:@-]+$/u

/** A name as a segment of a path, in back-ticks when it needs them. */
export const quoteSegment = (name: string): string =>
  PLAIN_SEGMENT.test(name) ? name : `\`${name.replaceAll('`', '``')}\``

/** The value at a path. A column whose own name is the whole path wins over nesting; undefined where there is none. */
export function valueAt(row: Row, path: Path): Json | undefined {
  if (Object.hasOwn(row, path.text)) return row[path.text]
  let value: Json | undefined = row
  for (const segment of path.segments) {
    value = step(value, segment)
    if (value === undefined) return undefined
  }
  return value
}

function step(value: Json | undefined, segment: string): Json | undefined {
  if (value === null || typeof value !== 'object') return undefined
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(segment) ? value[Number(segment)] : undefined
  const object = value as Row
  return Object.hasOwn(object, segment) ? object[segment] : undefined
}
