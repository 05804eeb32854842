import { ForageError } from '../../errors.ts'
import { NetworkError } from '../../network/errors.ts'
import { parseProxy } from '../../network/proxy.ts'
import { readUrl } from '../../network/redirect.ts'
import { cookieParams, type GivenCookies } from './cookies.ts'
import type { Device, Devices } from './devices.ts'
import { type FilterGlob, parseFilter } from './globs.ts'
import type { Polling } from './page/polling.ts'
import type { Milestone } from './page/watch.ts'
import { type GivenWait, parseWait, type WaitCriterion } from './wait-criteria.ts'

export type Ready = 'idle' | 'net2' | 'winload' | 'domload'

/** The shared browser options, as the interface names them. An option left out is `undefined`, never `false`. */
export interface PageOptions extends GivenWait {
  readonly url: string
  readonly cookieStorage?: GivenCookies | undefined
  readonly localStorage?: Readonly<Record<string, unknown>> | undefined
  readonly sessionStorage?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly device?: string | undefined
  readonly viewportWidth?: number | undefined
  readonly viewportHeight?: number | undefined
  readonly ready?: Ready | undefined
  readonly polling?: Polling | undefined
  readonly proxy?: string | undefined
  readonly filter?: readonly string[] | undefined
  readonly retry?: number | undefined
  /** For the whole job, tries included; without it the service's own. */
  readonly timeoutMs?: number | undefined
}

/** How a page is to be opened: every option read, checked and in the form in which it is used. */
export interface PagePlan {
  readonly url: URL
  readonly device: Device
  readonly cookies: ReturnType<typeof cookieParams>
  readonly localStorage: Readonly<Record<string, string>> | undefined
  readonly sessionStorage: Readonly<Record<string, string>> | undefined
  /** Without `User-Agent`, which is `userAgent`. */
  readonly headers: Readonly<Record<string, string>>
  readonly userAgent: string | undefined
  readonly milestone: Milestone
  readonly wait: readonly WaitCriterion[]
  readonly polling: Polling
  readonly proxy: string | undefined
  readonly filters: readonly FilterGlob[]
  readonly retry: number
  readonly timeoutMs: number | undefined
}

const milestones: Readonly<Record<Ready, Milestone>> = {
  winload: 'load',
  domload: 'DOMContentLoaded',
  idle: 'networkIdle',
  net2: 'networkAlmostIdle',
}

export function planPage(options: PageOptions, devices: Devices): PagePlan {
  const url = planUrl(options.url)
  const { 'user-agent': userAgent, ...headers } = planHeaders(options.headers ?? {})
  return {
    url,
    device: sized(devices.named(options.device), options),
    cookies: cookieParams(options.cookieStorage ?? {}, url),
    localStorage: texts(options.localStorage),
    sessionStorage: texts(options.sessionStorage),
    headers,
    userAgent,
    milestone: milestones[options.ready ?? 'winload'],
    wait: parseWait(options),
    polling: options.polling ?? 'raf',
    proxy: planProxy(options.proxy),
    filters: (options.filter ?? []).flatMap(parseFilter),
    retry: options.retry ?? 0,
    timeoutMs: options.timeoutMs,
  }
}

/** Checked here, not left to the browser: it would open `file:` addresses. */
function planUrl(text: string): URL {
  try {
    return readUrl(text)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    if (error.code === 'blocked_scheme') throw new ForageError('blocked_scheme', error.message)
    throw invalid('$.url', 'is not an address: it needs http:// or https:// and a host')
  }
}

const unsendable =
  /^(connection|content-length|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

function planHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(given).map(([name, value]) => {
    const path = `$.headers[${JSON.stringify(name)}]`
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw invalid(path, 'is not the name of a header')
    if (unsendable.test(name)) throw invalid(path, 'is set by the browser itself')
    if (/[\r\n\0]/.test(value)) throw invalid(path, 'must not have line breaks')
    return [name.toLowerCase(), value] as const
  })
  return Object.fromEntries(entries)
}

/** The message never repeats the text: it can hold a password. */
function planProxy(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    parseProxy(text)
    return text
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    throw invalid('$.proxy', `cannot be used. ${error.message}`)
  }
}

/** Storages hold texts; anything else is kept as JSON. */
function texts(given: Readonly<Record<string, unknown>> | undefined): Record<string, string> | undefined {
  if (given === undefined) return undefined
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}

function sized(device: Device, { viewportWidth, viewportHeight }: PageOptions): Device {
  if (viewportWidth === undefined && viewportHeight === undefined) return device
  const width = Math.round(viewportWidth ?? device.viewport.width)
  const height = Math.round(viewportHeight ?? device.viewport.height)
  return { ...device, viewport: { ...device.viewport, width, height } }
}

function invalid(path: string, message: string): ForageError {
  return new ForageError('invalid_request', `Not valid in the body: ${path} ${message}`, {
    errors: [{ path, message, in: 'body' }],
  })
}
