import type { Advance, DeliveryBook } from './delivery-book.ts'

/** The catalog takes about 5 ms for a durable write and holds the process meanwhile. */
const SAVE_EVERY_MS = 25

/**
 * Writes down how far a delivery has come: at once, but no more often than every 25 ms. With a write for each batch, the
 * disk of the catalog would be the limit of every quick store. What a crash can take is the news of those few batches,
 * which are sent again under the same ids; a stop takes nothing.
 */
export class Progress {
  readonly #book: DeliveryBook
  readonly #id: string
  #unsaved: Advance | undefined
  #saving: Promise<void> | undefined
  #savedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #failure: unknown

  constructor(book: DeliveryBook, id: string) {
    this.#book = book
    this.#id = id
  }

  /** Throws when an earlier step could not be written down: nothing more should leave then. */
  note({ done, bytes, refused }: Advance): void {
    if (this.#failure !== undefined) throw this.#failure
    const before = this.#unsaved
    this.#unsaved = {
      done,
      bytes: bytes + (before?.bytes ?? 0),
      refused: before ? [...before.refused, ...refused] : refused,
    }
    if (performance.now() - this.#savedAt >= SAVE_EVERY_MS) this.#begin()
    else this.#timer ??= setTimeout(() => this.#begin(), SAVE_EVERY_MS)
  }

  /** Resolves when everything is written down. */
  async saved(): Promise<void> {
    this.#begin()
    await this.#saving
    if (this.#failure !== undefined) throw this.#failure
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#saving ??= this.#save()
  }

  async #save(): Promise<void> {
    try {
      while (this.#unsaved) {
        const next = this.#unsaved
        this.#unsaved = undefined
        await this.#book.advance(this.#id, next)
      }
    } catch (error) {
      this.#failure = error
    } finally {
      this.#savedAt = performance.now()
      this.#saving = undefined
    }
  }
}
