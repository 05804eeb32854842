/** A bounded number of holders; the others wait in the order they came. */
export class Semaphore {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(places: number) {
    this.#free = places
  }

  /** Resolves with the function that gives the place back. Whoever is aborted while waiting never gets one. */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted()
    const release = this.tryAcquire()
    if (release) return release
    await this.#wait(signal)
    return this.#held()
  }

  /** A place if one is free now. */
  tryAcquire(): (() => void) | undefined {
    if (this.#free === 0) return
    this.#free--
    return this.#held()
  }

  #held(): () => void {
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#release()
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(signal?.reason)
      }
      const enter = () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.push(enter)
    })
  }

  #release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
