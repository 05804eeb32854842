import { ForageError } from '../../../errors.ts'
import { Scope } from '../../../network/scope.ts'
import { emulation, setUserAgent } from '../browser/emulation.ts'
import type { Slot } from '../browser/slot.ts'
import type { Device } from '../devices.ts'
import { navigationFailure, networkFailure } from '../failures.ts'
import { isFiltered } from '../globs.ts'
import type { PagePlan } from '../plan.ts'
import { storagesScript } from './storages.ts'

export interface Travel {
  readonly slot: Slot
  readonly plan: PagePlan
  /** What the slot was made for; another device has to be set. */
  readonly made: Device
  readonly maxBytes: number
  /** Network events are wanted: for capturing, or to wait for an answer. */
  readonly watchNetwork: boolean
  /** The user did not write the address, so it may not be local. */
  readonly fromData: boolean
  /** Told of every document after the first, which are dispatches too. */
  readonly onFurther: (host: string) => void
}

const SETTLE_MS = 300
/** Bytes of a request's body that are told of. */
const MOST_POSTED = 65_536
/** An empty answer with an error status is a page all the same. */
const stillAPage = /ERR_HTTP_RESPONSE_CODE_FAILURE/

/** Sets everything that the plan asks for, in one round trip; nothing has been loaded yet. */
export async function prepare(travel: Travel): Promise<void> {
  const { slot, plan, made } = travel
  const { session, watch } = slot
  watch.begin()
  bindEgress(travel)
  const calls: Promise<unknown>[] = []
  if (plan.device !== made) calls.push(...emulation(session, plan.device))
  if (plan.userAgent !== undefined) calls.push(setUserAgent(session, plan.device, plan.userAgent))
  if (plan.cookies.length > 0) calls.push(setCookies(travel))
  if (travel.watchNetwork || plan.filters.length > 0)
    calls.push(
      session.send('Network.enable', {
        maxTotalBufferSize: 50_000_000,
        maxResourceBufferSize: 10_000_000,
        maxPostDataSize: MOST_POSTED,
      }),
    )
  if (plan.filters.length > 0)
    calls.push(
      session.send('Network.setBlockedURLs', {
        urlPatterns: plan.filters.map(({ pattern }) => ({ urlPattern: pattern, block: true })),
      }),
    )
  if (plan.localStorage || plan.sessionStorage) calls.push(setStorages(travel))
  if (Object.keys(plan.headers).length > 0) calls.push(addHeaders(travel))
  await Promise.all(calls)
}

async function setCookies({ slot, plan }: Travel): Promise<void> {
  try {
    await slot.session.send('Network.setCookies', { cookies: [...plan.cookies] })
  } catch {
    // The browser's message could repeat a value.
    const message = 'holds a cookie that the browser refuses: look at domain, path, secure and the name'
    throw new ForageError('invalid_request', `Not valid in the body: $.cookieStorage ${message}`, {
      errors: [{ path: '$.cookieStorage', message, in: 'body' }],
    })
  }
}

/** Set for the first document alone: a later one must find what the page itself has written since. */
async function setStorages({ slot, plan }: Travel): Promise<void> {
  const { session, watch } = slot
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: storagesScript(plan.url.origin, plan.localStorage ?? {}, plan.sessionStorage ?? {}),
    worldName: 'forage',
  })
  let isRemoved = false
  watch.onNavigated((_url, isMain) => {
    if (!isMain || isRemoved) return
    isRemoved = true
    session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }).catch(() => {})
  })
}

/** The browser's own way sends extra headers to every host of the page; a password is meant for one. */
async function addHeaders({ slot, plan }: Travel): Promise<void> {
  const { session } = slot
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const merged = new Map(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    for (const [name, value] of Object.entries(plan.headers)) merged.set(name, value)
    const headers = [...merged].map(([name, value]) => ({ name, value }))
    session.send('Fetch.continueRequest', { requestId, headers }).catch(() => {})
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${plan.url.origin}/*` }] })
}

function bindEgress({ slot, plan, maxBytes, fromData, onFurther }: Travel): void {
  const { egress, watch, session } = slot
  const scope = fromData ? new Scope() : Scope.ofUrl(plan.url)
  watch.onNavigated((address, isMain) => {
    const host = URL.parse(address)?.hostname ?? ''
    if (egress.isPublic(host)) scope.leaveLocal()
    if (isMain && watch.navigations > 1 && host !== '') onFurther(host)
  })
  egress.bind(
    {
      scope,
      proxy: plan.proxy,
      isFiltered: (host, path) => host !== plan.url.hostname && isFiltered(plan.filters, host, path),
      settled: () => within(session.send('Page.getFrameTree'), SETTLE_MS),
      maxBytes,
    },
    () => watch.fail(new ForageError('too_large', `The page loads more than ${maxBytes} bytes.`)),
  )
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  work.then(
    () => resolve(),
    () => resolve(),
  )
  await promise
  clearTimeout(timer)
}

/** The address is a download, which has no page. */
export class DownloadSeen extends Error {
  override readonly name = 'DownloadSeen'
}

/** Goes to the address and stays until the page has come as far as the plan says. */
export async function navigate({ slot, plan }: Travel): Promise<void> {
  const { session, watch, egress } = slot
  const { errorText, isDownload } = await session.send('Page.navigate', { url: plan.url.href })
  if (errorText !== undefined && !stillAPage.test(errorText)) {
    if (isDownload || watch.download) {
      // Its name comes with an event that may be behind this answer.
      await watch.until(() => watch.download !== undefined)
      throw new DownloadSeen()
    }
    // Nothing but the way to the document was asked for yet.
    const failure = egress.failure(plan.url) ?? egress.lastFailure
    if (failure) throw networkFailure(failure)
    if (errorText.includes('ERR_ABORTED'))
      throw new ForageError('no_content', 'The server answered without content (204 or 205).')
    throw navigationFailure(errorText)
  }
  await watch.until(() => watch.navigations > 0)
  const url = URL.parse(watch.url)
  const failure = url && egress.failure(url)
  if (failure) throw networkFailure(failure)
  await watch.reached(plan.milestone)
}
