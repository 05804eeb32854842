import type { Json } from '../../language/json.ts'
import { setKey } from '../../language/lenient-json.ts'
import { parsedText } from './parsed-text.ts'

/** What is wrong with a text that should be a whole address. */
export class NoAddress extends Error {
  override readonly name = 'NoAddress'
}

/** The parts of an address; those it has not are left out. */
export function parseUrl(text: string): Json {
  if (!URL.canParse(text)) throw new NoAddress(`${JSON.stringify(shorten(text))} is no whole address.`)
  const url = new URL(text)
  const parts: Record<string, Json> = { scheme: url.protocol.slice(0, -1) }
  if (url.hostname) parts.host = url.hostname
  if (url.port) parts.port = Number(url.port)
  if (url.pathname) parts.path = url.pathname
  if (url.search.length > 1) parts.query = parseQuery(url.searchParams)
  if (url.hash.length > 1) parts.fragment = decoded(url.hash.slice(1))
  return parts
}

/** A name that comes several times has the list of its values. */
function parseQuery(parameters: URLSearchParams): Json {
  const query: Record<string, Json> = {}
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    setKey(query, name, values.length === 1 ? values[0]! : values)
  }
  return query
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

/** Puts the parts of the address in the row's `value` in its place. */
export const map = parsedText(parseUrl, NoAddress)
