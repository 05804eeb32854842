import { Readable } from 'node:stream'
import { type Dispatcher, errors } from 'undici'

/** The body of an answer as it comes: whoever reads it slowly slows the sender down. */
export class BodyStream extends Readable {
  readonly #controller: Dispatcher.DispatchController
  #isWhole = false

  constructor(controller: Dispatcher.DispatchController) {
    super()
    this.#controller = controller
    // Whoever reads it hears of an error; while nobody does it must not end the process.
    this.on('error', () => {})
  }

  data(chunk: Buffer): void {
    if (!this.push(chunk)) this.#controller.pause()
  }

  end(): void {
    this.#isWhole = true
    this.push(null)
  }

  fail(error: Error): void {
    this.#isWhole = true
    this.destroy(error)
  }

  /** Reads on to the end, so that the connection can serve again; a body longer than this is broken off. */
  dump(limit: number): void {
    let size = 0
    this.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) this.destroy()
    })
  }

  override _read(): void {
    this.#controller.resume()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (!this.#isWhole) this.#controller.abort(error ?? new errors.RequestAbortedError())
    callback(error)
  }
}
