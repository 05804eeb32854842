import type { Markup } from './markup.ts'

export interface Reply {
  status: number
  headers: Record<string, string | string[]>
  body: string | Buffer
}

type Headers = Reply['headers']

export function reply(type: string, body: string | Buffer, headers: Headers = {}, status = 200): Reply {
  return { status, headers: { 'content-type': type, ...headers }, body }
}

export function jsonReply(value: unknown, headers: Headers = {}, status = 200): Reply {
  return reply('application/json; charset=utf-8', stringify(value), headers, status)
}

export function xmlReply(
  document: Markup,
  type = 'application/xml; charset=utf-8',
  headers: Headers = {},
  status = 200,
): Reply {
  return reply(type, `<?xml version="1.0" encoding="UTF-8"?>\n${document.text}\n`, headers, status)
}

export function redirectReply(location: string, headers: Headers = {}, status = 303): Reply {
  return reply('text/plain; charset=utf-8', `See ${location}\n`, { location, ...headers }, status)
}

/** TypeScript's library does not know `rawJSON` yet; Node does. */
const json = JSON as JSON & { rawJSON(text: string): unknown }

/** JSON in which a bigint is a plain number of as many digits as it has: ids beyond 2^53 are sent exactly. */
export function stringify(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? json.rawJSON(item.toString()) : item,
  )
}

/** Thrown by a handler that cannot answer as asked; the router turns it into a page or a JSON object. */
export class Refusal extends Error {
  readonly status: number
  readonly headers: Headers

  constructor(status: number, message: string, headers: Headers = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}
