import type { Json } from '../../language/json.ts'
import { textOf } from '../../language/resolve.ts'
import type { Headers } from '../../network/redirect.ts'
import type { JobRequest } from '../command.ts'
import { CommandFailure } from '../failure.ts'

export interface ConnectionFlags {
  readonly verifySSL: boolean
  readonly redirect: boolean
  readonly proxy: string | undefined
  readonly maxBytes: number
}

export interface HeaderFlags {
  readonly headers: Json | undefined
  readonly useragent: string | undefined
  readonly bearer: string | undefined
  readonly basic: string | undefined
}

type Connection = Pick<JobRequest, 'verify' | 'redirects' | 'proxy' | 'maxBytes'>

const MOST_REDIRECTS = 10

export const connectionOf = ({ verifySSL, redirect, proxy, maxBytes }: ConnectionFlags): Connection => ({
  verify: verifySSL,
  redirects: redirect ? MOST_REDIRECTS : 0,
  maxBytes,
  proxy,
})

/** The headers that the user asks for, names in lower case. */
export function headersOf({ headers, useragent, bearer, basic }: HeaderFlags): Headers {
  if (bearer !== undefined && basic !== undefined)
    throw new CommandFailure('two_credentials', 'A request takes --bearer or --basic, not both.')
  const result: Headers = {}
  for (const [name, value] of pairsOf(headers, '--headers')) {
    if (value === null) continue
    result[name.toLowerCase()] = Array.isArray(value) ? value.map(textOf) : textOf(value)
  }
  if (useragent !== undefined) result['user-agent'] = useragent
  if (bearer !== undefined) result.authorization = `Bearer ${bearer}`
  if (basic !== undefined) result.authorization = `Basic ${Buffer.from(basic).toString('base64')}`
  return result
}

const PLAIN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  'user-agent',
])

/** The headers that may hold a secret, for all we know: a redirect takes them to no other origin. */
export const secretsIn = (headers: Headers): string[] =>
  Object.keys(headers).filter(name => !PLAIN_HEADERS.has(name))

/** The address with these parameters behind those it has; a list gives a parameter several times. */
export function withQuery(address: string, query: Json | undefined): URL {
  const url = new URL(address)
  if (query === undefined) return url
  for (const [name, text] of fieldsOf(query, '--query')) url.searchParams.append(name, text)
  return url
}

/** An object as the fields of a form: null is left out, a list repeats its name. */
export function fieldsOf(value: Json | undefined, flag: string): [string, string][] {
  return pairsOf(value, flag).flatMap(([name, given]) =>
    (Array.isArray(given) ? given : [given]).filter(item => item !== null).map(item => [name, textOf(item)]),
  )
}

function pairsOf(value: Json | undefined, flag: string): (readonly [string, Json])[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'object' && !Array.isArray(value)) return Object.entries(value)
  throw new CommandFailure('not_an_object', `${flag} takes an object, {name: value}.`, {
    hint: `Write it as ${flag} '{"name": "value"}'.`,
  })
}
