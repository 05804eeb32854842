import { ForageError } from '../../../errors.ts'
import { type Connection, ConnectionLost, type EventOf, type Session } from '../browser/connection.ts'
import { consoleText } from './console-text.ts'

export interface Dialog {
  readonly type: string
  readonly message: string
}
export interface ConsoleLine {
  readonly type: string
  readonly text: string
}

/** The renderer of the page died; the browser lives. */
export class PageCrashed extends Error {
  override readonly name = 'PageCrashed'
}

export type Milestone = 'load' | 'DOMContentLoaded' | 'networkIdle' | 'networkAlmostIdle'

export interface Download {
  readonly url: string
  readonly name: string
}

const MOST_DIALOGS = 50
const MOST_EVENTS = 2000
const MOST_EVENT_BYTES = 4 * 1024 * 1024
const KEPT_LINES = 500
const KEPT_ERRORS = 100
const KEPT_CHARACTERS = 10_000

/** Follows one page from its making: where it is, how far it has loaded, what it says, and whether it misbehaves. */
export class PageWatch {
  /** The main frame. */
  readonly frameId: string
  readonly dialogs: Dialog[] = []
  readonly console: ConsoleLine[] = []
  readonly errors: { readonly message: string }[] = []
  readonly #session: Session
  readonly #broken = Promise.withResolvers<never>()
  readonly #offs: (() => void)[]
  readonly #changes = new Set<() => void>()
  readonly #onNavigated = new Set<(url: string, isMain: boolean) => void>()
  #milestones = new Map<string, Set<string>>()
  #loaderId = ''
  #events = 0
  #bytes = 0
  #frames = 0
  #isBroken = false
  url = 'about:blank'
  /** How often the main frame has shown another document. */
  navigations = 0
  /** A navigation of the main frame is under way. */
  isNavigating = false
  download: Download | undefined

  constructor(connection: Connection, session: Session, ids: { contextId: string; targetId: string }) {
    this.#session = session
    this.frameId = ids.targetId
    this.#broken.promise.catch(() => {})
    this.#offs = [
      connection.onClose(() => this.fail(new ConnectionLost('The browser is gone.'))),
      session.on('Page.frameNavigated', event => this.#navigated(event)),
      session.on('Page.navigatedWithinDocument', ({ frameId, url }) => this.#moved(frameId, url)),
      session.on('Page.frameRequestedNavigation', ({ frameId }) => this.#leaving(frameId)),
      session.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
        if (navigationType !== 'sameDocument') this.#leaving(frameId)
      }),
      session.on('Page.frameStoppedLoading', ({ frameId }) => this.#arrived(frameId)),
      session.on('Page.frameAttached', () => this.#countFrame()),
      session.on('Page.lifecycleEvent', event => this.#reached(event)),
      session.on('Page.javascriptDialogOpening', event => this.#answer(event)),
      session.on('Runtime.consoleAPICalled', (event, bytes) => this.#said(event, bytes)),
      session.on('Runtime.exceptionThrown', (event, bytes) => this.#threw(event, bytes)),
      session.on('Inspector.targetCrashed', () => this.fail(new PageCrashed('The page crashed.'))),
      connection.browser.on('Browser.downloadWillBegin', ({ frameId, url, suggestedFilename }) => {
        if (frameId !== this.frameId) return
        this.download = { url, name: suggestedFilename }
        this.noteChange()
      }),
      connection.browser.on('Target.targetCrashed', ({ targetId }) => {
        if (targetId === ids.targetId) this.fail(new PageCrashed('The page crashed.'))
      }),
      connection.browser.on('Target.targetCreated', ({ targetInfo }) => {
        const isPopup = targetInfo.browserContextId === ids.contextId && targetInfo.type === 'page'
        if (isPopup && targetInfo.targetId !== ids.targetId)
          connection.browser.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => {})
      }),
    ]
  }

  /** Rejects when the page can no longer be worked with; every step of a job is raced with it. */
  get broken(): Promise<never> {
    return this.#broken.promise
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  fail(error: Error): void {
    this.#isBroken = true
    this.#broken.reject(error)
  }

  stop(): void {
    for (const off of this.#offs) off()
    this.#changes.clear()
    this.#onNavigated.clear()
  }

  /** The job starts: what the page did while it was made ready does not count. */
  begin(): void {
    this.navigations = 0
    this.isNavigating = false
    this.download = undefined
  }

  /** Called with the address of every document that a frame of the page shows. */
  onNavigated(callback: (url: string, isMain: boolean) => void): void {
    this.#onNavigated.add(callback)
  }

  /** Resolves when the document that the main frame then shows has come that far. */
  async reached(milestone: Milestone): Promise<void> {
    await this.until(
      () => this.navigations > 0 && this.#milestones.get(this.#loaderId)?.has(milestone) === true,
    )
  }

  /** Resolves when it holds, looked at whenever the page goes somewhere or gets further. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve()
    return new Promise(resolve => {
      const check = () => {
        if (!holds()) return
        this.#changes.delete(check)
        resolve()
      }
      this.#changes.add(check)
    })
  }

  #navigated({ frame }: EventOf<'Page.frameNavigated'>): void {
    this.#countFrame()
    const isMain = frame.id === this.frameId
    if (isMain) {
      this.url = frame.url + (frame.urlFragment ?? '')
      this.#loaderId = frame.loaderId
      this.navigations++
      this.isNavigating = false
      const known = this.#milestones.get(frame.loaderId) ?? new Set()
      this.#milestones = new Map([[frame.loaderId, known]])
    }
    for (const callback of this.#onNavigated) callback(frame.url, isMain)
    this.noteChange()
  }

  #moved(frameId: string, url: string): void {
    this.#countFrame()
    if (frameId === this.frameId) this.url = url
    this.noteChange()
  }

  #leaving(frameId: string): void {
    if (frameId === this.frameId) this.isNavigating = true
    this.noteChange()
  }

  #arrived(frameId: string): void {
    // A navigation that came to nothing (204, a download) ends here too.
    if (frameId === this.frameId) this.isNavigating = false
    this.noteChange()
  }

  #reached({ frameId, loaderId, name }: EventOf<'Page.lifecycleEvent'>): void {
    if (frameId !== this.frameId) return
    const milestones = this.#milestones.get(loaderId) ?? new Set()
    this.#milestones.set(loaderId, milestones)
    if (name === 'init') milestones.clear()
    milestones.add(name)
    this.noteChange()
  }

  #answer({ type, message, defaultPrompt }: EventOf<'Page.javascriptDialogOpening'>): void {
    if (this.dialogs.length >= MOST_DIALOGS) {
      this.fail(new ForageError('dialog_loop', `The page opened more than ${MOST_DIALOGS} dialogs.`))
      return
    }
    this.dialogs.push({ type, message: message.slice(0, KEPT_CHARACTERS) })
    this.#session
      .send('Page.handleJavaScriptDialog', { accept: true, promptText: defaultPrompt ?? '' })
      .catch(() => {})
  }

  #said(event: EventOf<'Runtime.consoleAPICalled'>, bytes: number): void {
    if (this.console.length < KEPT_LINES)
      this.console.push({ type: event.type, text: consoleText(event.args).slice(0, KEPT_CHARACTERS) })
    this.#count(bytes)
  }

  #threw({ exceptionDetails }: EventOf<'Runtime.exceptionThrown'>, bytes: number): void {
    const message = exceptionDetails.exception?.description?.split('\n')[0] ?? exceptionDetails.text
    if (this.errors.length < KEPT_ERRORS) this.errors.push({ message: message.slice(0, KEPT_CHARACTERS) })
    this.#count(bytes)
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (++this.#events > MOST_EVENTS || this.#bytes > MOST_EVENT_BYTES)
      this.fail(new ForageError('too_large', 'The page writes to its console without end.'))
  }

  #countFrame(): void {
    if (++this.#frames > MOST_EVENTS)
      this.fail(new ForageError('too_large', 'The page makes frames or addresses without end.'))
  }

  /** Something that `until` may wait for has changed. */
  noteChange(): void {
    for (const check of [...this.#changes]) check()
  }
}
