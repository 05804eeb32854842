import type { Device } from '../devices.ts'
import { PageWatch } from '../page/watch.ts'
import type { Session } from './connection.ts'
import { Egress, WARM_UP } from './egress.ts'
import type { EgressNetwork } from './egress-route.ts'
import { emulation } from './emulation.ts'
import type { BrowserSupervisor } from './supervisor.ts'

/** A context closes within a tenth of a second. A browser that takes this long to is given no more of them. */
const SLOW_CLOSE_MS = 3000
/** And this long is no longer to be had from a busy machine alone: it is ended, whatever else runs in it. */
const MOST_CLOSE_MS = 10_000

/** A browser context with one page and its way out, for one job and never another. */
export class Slot {
  readonly supervisor: BrowserSupervisor
  readonly contextId: string
  readonly session: Session
  readonly watch: PageWatch
  readonly egress: Egress
  #disposed: Promise<void> | undefined

  /** Makes it ready: what can be set before the job is known is set here. */
  static async make(supervisor: BrowserSupervisor, network: EgressNetwork, device: Device): Promise<Slot> {
    supervisor.contexts++
    let egress: Egress | undefined
    try {
      const { connection } = supervisor.process
      egress = await Egress.open(network)
      const { browserContextId } = await connection.browser.send('Target.createBrowserContext', {
        proxyServer: `http://127.0.0.1:${egress.port}`,
        // Without it Chromium connects to this machine by itself, past the proxy.
        proxyBypassList: '<-loopback>',
        disposeOnDetach: true,
      })
      const { targetId } = await connection.browser.send('Target.createTarget', {
        url: 'about:blank',
        browserContextId,
      })
      const { sessionId } = await connection.browser.send('Target.attachToTarget', {
        targetId,
        flatten: true,
      })
      const slot = new Slot(supervisor, browserContextId, targetId, connection.session(sessionId), egress)
      await slot.#prepare(device)
      return slot
    } catch (error) {
      egress?.close()
      supervisor.contextGone()
      throw error
    }
  }

  private constructor(
    supervisor: BrowserSupervisor,
    contextId: string,
    targetId: string,
    session: Session,
    egress: Egress,
  ) {
    this.supervisor = supervisor
    this.contextId = contextId
    this.session = session
    this.egress = egress
    this.watch = new PageWatch(supervisor.process.connection, session, { contextId, targetId })
  }

  /** Whether it can still be used: its browser may have gone while it waited. */
  get isFresh(): boolean {
    return this.supervisor.isUsable && !this.watch.isBroken
  }

  /** Ends whatever still runs in it: the browser closes the context however it hangs, or is itself ended. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose()
    return this.#disposed
  }

  async #prepare(device: Device): Promise<void> {
    const { session } = this
    await Promise.all([
      session.send('Page.enable'),
      session.send('Runtime.enable'),
      session.send('Inspector.enable'),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      this.supervisor.process.connection.browser.send('Browser.setDownloadBehavior', {
        behavior: 'deny',
        browserContextId: this.contextId,
        eventsEnabled: true,
      }),
      ...emulation(session, device),
      this.#signIn(),
    ])
  }

  /**
   * Gives the context the password of its proxy. Chromium asks once and keeps it for all that the context does, workers
   * and sockets included; the address is answered with 204, so the page stays as it is.
   */
  async #signIn(): Promise<void> {
    const { session, egress } = this
    const stop = [
      session.on('Fetch.requestPaused', ({ requestId }) => {
        session.send('Fetch.continueRequest', { requestId }).catch(() => {})
      }),
      session.on('Fetch.authRequired', ({ requestId }) => {
        const authChallengeResponse = {
          response: 'ProvideCredentials',
          username: 'forage',
          password: egress.password,
        } as const
        session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {})
      }),
    ]
    await session.send('Fetch.enable', { patterns: [{ urlPattern: WARM_UP }], handleAuthRequests: true })
    await session.send('Page.navigate', { url: WARM_UP })
    await session.send('Fetch.disable')
    for (const off of stop) off()
  }

  async #dispose(): Promise<void> {
    const { supervisor, session } = this
    const { connection } = supervisor.process
    const late = Promise.withResolvers<never>()
    const doubt = setTimeout(() => supervisor.retire(), SLOW_CLOSE_MS)
    const limit = setTimeout(() => late.reject(new Error('late')), MOST_CLOSE_MS)
    try {
      const closing = connection.browser.send('Target.disposeBrowserContext', {
        browserContextId: this.contextId,
      })
      await Promise.race([closing, late.promise])
    } catch {
      // It hangs or is gone; what else runs in it is tried again elsewhere.
      await supervisor.kill()
    } finally {
      clearTimeout(doubt)
      clearTimeout(limit)
      this.egress.close()
      this.watch.stop()
      connection.forget(session.id!)
      supervisor.contextGone()
    }
  }
}
