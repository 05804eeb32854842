import { type Json, type Row, stringifyJson } from '../../../src/language/json.ts'

export type ValueKind =
  | 'missing'
  | 'number'
  | 'boolean'
  | 'date'
  | 'link'
  | 'picture'
  | 'json'
  | 'html'
  | 'text'

export interface ShownValue {
  readonly kind: ValueKind
  /** The whole of it as text: what is copied. */
  readonly text: string
  /** Where the picture is, or where the link leads. */
  readonly address?: string
  readonly screenshot?: boolean
}

const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/
const PICTURE_DATA = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)[;,]/i
const PICTURE_NAME = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico)$/i
const SCREENSHOT_HASH = /^[0-9a-f]{64}$/i
const PICTURE_TYPES: readonly unknown[] = ['png', 'jpeg', 'webp']
const TAG = /<(?:!doctype|[a-z][a-z0-9-]*)(?:\s[^<>]*)?\/?>/i

/** Who writes HTML writes a tag soon. */
const HTML_BEGINNING = 5000

/** What somebody may want a value shown as, whatever it looks like. */
const RENDERERS = ['text', 'link', 'picture'] as const
export type Renderer = (typeof RENDERERS)[number]
export const isRenderer = (value: unknown): value is Renderer =>
  (RENDERERS as readonly unknown[]).includes(value)

/** The same as it was asked for, where it can be: only an address is a link or a picture. */
export function renderedAs(shown: ShownValue, renderer: Renderer | undefined): ShownValue {
  if (renderer === undefined || shown.kind === 'missing') return shown
  if (renderer === 'text') return { kind: 'text', text: shown.text }
  return webAddress(shown.text) ? { ...shown, kind: renderer, address: shown.text } : shown
}

/** What a value is to somebody who looks at it. `row` tells a screenshot's hash from any other. */
export function shownValue(value: Json | undefined, column: string, row: Row): ShownValue {
  if (value === null || value === undefined) return { kind: 'missing', text: '' }
  if (typeof value === 'number' || typeof value === 'bigint') return { kind: 'number', text: String(value) }
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) }
  if (typeof value === 'object') return shownObject(value)
  return shownText(value, column, row)
}

function shownObject(value: Exclude<Json, string | number | bigint | boolean | null>): ShownValue {
  const text = stringifyJson(value)
  const { hash, type } = value as { readonly hash?: Json; readonly type?: Json }
  return isScreenshot(hash, type)
    ? { kind: 'picture', text, address: screenshotAddress(hash), screenshot: true }
    : { kind: 'json', text }
}

function shownText(text: string, column: string, row: Row): ShownValue {
  if (isHashOfScreenshot(text, column, row))
    return { kind: 'picture', text, address: screenshotAddress(text), screenshot: true }
  if (PICTURE_DATA.test(text)) return { kind: 'picture', text, address: text }
  const url = webAddress(text)
  if (url) return { kind: PICTURE_NAME.test(url.pathname) ? 'picture' : 'link', text, address: url.href }
  if (DATE.test(text)) return { kind: 'date', text }
  if (TAG.test(text.slice(0, HTML_BEGINNING))) return { kind: 'html', text }
  return { kind: 'text', text }
}

/** An address that a browser may be sent to, and nothing else: no `javascript:`, no `data:`. */
export function webAddress(text: string): URL | undefined {
  if (!/^https?:\/\/\S+$/i.test(text) || text.length > 8000) return undefined
  const url = URL.parse(text)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined
}

/** Beside the hash of a screenshot stands the type of its picture. */
function isHashOfScreenshot(text: string, column: string, row: Row): boolean {
  if (!SCREENSHOT_HASH.test(text)) return false
  const parent = /^(?:(.*)\.)?hash$/.exec(column)
  return parent !== null && isScreenshot(text, row[parent[1] === undefined ? 'type' : `${parent[1]}.type`])
}

const isScreenshot = (hash: Json | undefined, type: Json | undefined): hash is string =>
  typeof hash === 'string' && SCREENSHOT_HASH.test(hash) && PICTURE_TYPES.includes(type)

export const screenshotAddress = (hash: string): string => `/v1/screenshot/${hash}`

/** Text that is itself JSON with parts, as that. */
export function jsonIn(value: Json | undefined, parse: (text: string) => Json): Json | undefined {
  if (typeof value === 'object' && value !== null) return value
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined
  try {
    return parse(value)
  } catch {
    return undefined
  }
}

/** Of a text of a million letters a cell shows the first few. */
const CELL_TEXT = 300
export const cutText = (text: string): string =>
  text.length > CELL_TEXT ? `${text.slice(0, CELL_TEXT)}…` : text
