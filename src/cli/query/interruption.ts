import { Fault } from '../../fault.ts'

/** How long a query may take to be cancelled before the process ends anyway. */
const PATIENCE_MS = 5000

/**
 * Ctrl-C and SIGTERM while a query runs: the first ends it in good order. Further ones change nothing, since a terminal
 * sends each to the launcher too, which passes it on.
 */
export class Interruption implements Disposable {
  readonly #controller = new AbortController()
  #react: () => Promise<void> = async () => {}

  constructor() {
    process.on('SIGINT', this.#interrupt)
    process.on('SIGTERM', this.#interrupt)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  onInterrupt(react: () => Promise<void>): void {
    this.#react = react
    if (this.signal.aborted) void react().catch(() => {})
  }

  [Symbol.dispose](): void {
    process.off('SIGINT', this.#interrupt)
    process.off('SIGTERM', this.#interrupt)
  }

  readonly #interrupt = (): void => {
    if (this.signal.aborted) return
    const reason = new Fault(
      'cancelled',
      'cancelled',
      'Run it again to go on; stages that were done may be in the cache.',
    )
    setTimeout(() => process.exit(reason.exitCode), PATIENCE_MS).unref()
    this.#controller.abort(reason)
    void this.#react().catch(() => {})
  }
}
