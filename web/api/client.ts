import { type Json, parseJson, stringifyJson } from '../../src/language/json.ts'
import { reportReachable, reportUnreachable } from './connection.ts'
import { Problem, Unreachable } from './problem.ts'

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>

export interface CallOptions {
  readonly query?: Parameters
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Proves to the server that a change comes from our own page; known once somebody is signed in. */
let csrfToken = ''
let onSignedOut: () => void = () => {}

export function setCsrfToken(token: string): void {
  csrfToken = token
}

/** Called when the server no longer knows the session. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}

export const addressOf = (path: string, query: Parameters = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const text = new URLSearchParams(given as [string, string][]).toString()
  return text === '' ? path : `${path}?${text}`
}

/** A name or id as one segment of a path. */
export const segment = (name: string): string => encodeURIComponent(name)

/** A browser takes these for "here" and "one up", however they are written, and would ask for something else. */
const DOTS = /\/\.{1,2}(?=\/|$)/

export const api = {
  get: <T>(path: string, options?: CallOptions): Promise<T> => call<T>('GET', path, undefined, options),
  post: <T>(path: string, body?: unknown, options?: CallOptions): Promise<T> =>
    call<T>('POST', path, body, options),
  put: <T>(path: string, body?: unknown, options?: CallOptions): Promise<T> =>
    call<T>('PUT', path, body, options),
  delete: (path: string, options?: CallOptions): Promise<void> =>
    call<void>('DELETE', path, undefined, options),
}

/** What a request that changes something has to carry, for the few that are not sent by `api` (uploads). */
export const writeHeaders = (): Record<string, string> => ({ 'x-csrf-token': csrfToken })

async function call<T>(method: string, path: string, body: unknown, options: CallOptions = {}): Promise<T> {
  if (DOTS.test(path))
    throw new Error(
      `No browser can ask for ${path}, which has nothing but dots for a name. Ask with curl --path-as-is.`,
    )
  const response = await reach(addressOf(path, options.query), {
    method,
    headers: {
      accept: 'application/json',
      ...(method !== 'GET' && writeHeaders()),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body: stringifyJson(body as Json) }),
    ...(options.signal && { signal: options.signal }),
  })
  const text = await response.text()
  if (response.ok) return (text === '' ? undefined : parseJson(text)) as T
  throw problemOf(response, text)
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(address, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    reportUnreachable()
    throw new Unreachable(error)
  }
  reportReachable()
  return response
}

export function problemOf(response: Pick<Response, 'status' | 'headers'>, text: string): Problem {
  const problem = new Problem(response.status, readProblem(text), response.headers.get('retry-after'))
  if (problem.status === 401 && csrfToken !== '') onSignedOut()
  return problem
}

function readProblem(text: string): object {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
