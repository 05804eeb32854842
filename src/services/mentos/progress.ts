import type { Advance, DeliveryBook, DeliveryRow } from './delivery-book.ts'
import { ProgressFile, type Reached } from './progress-file.ts'

/** The catalog takes about 5 ms for a durable write and holds the process meanwhile. */
const SAVE_EVERY_MS = 1000

/**
 * Writes down how far a delivery has come: each batch in a file at once, and in the catalog every second. A crash of the
 * process loses nothing of it; one of the machine the news of the last second, whose rows are sent again under the same
 * ids. Rows that were refused are in the catalog before the file says that they are done with.
 */
export class Progress {
  readonly #book: DeliveryBook
  readonly #id: string
  readonly #file: ProgressFile
  #reached: Reached
  #unsaved: Advance | undefined
  #refusedUnsaved = 0
  #saving: Promise<void> | undefined
  #savedAt = performance.now()
  #timer: NodeJS.Timeout | undefined
  #failure: unknown

  constructor(book: DeliveryBook, folder: string, begun: DeliveryRow) {
    this.#book = book
    this.#id = begun.id
    this.#file = new ProgressFile(folder, begun.id)
    const known = { total: Number(begun.total), done: Number(begun.done), bytes: Number(begun.bytes) }
    const found = this.#file.read()
    const isFurther = found !== undefined && found.total === known.total && found.done > known.done
    this.#reached = isFurther ? found : known
    if (isFurther) this.#unsaved = { done: found.done, bytes: found.bytes - known.bytes, refused: [] }
  }

  get reached(): Reached {
    return this.#reached
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
    this.#refusedUnsaved += refused.length
    this.#reached = { ...this.#reached, done, bytes: this.#reached.bytes + bytes }
    if (this.#refusedUnsaved === 0) this.#file.write(this.#reached)
    if (refused.length > 0 || performance.now() - this.#savedAt >= SAVE_EVERY_MS) this.#begin()
    else this.#timer ??= setTimeout(() => this.#begin(), SAVE_EVERY_MS)
  }

  /** Resolves when everything is written down. */
  async saved(): Promise<void> {
    this.#begin()
    await this.#saving
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Lets go of the file, which is there for whoever takes the delivery up. */
  close(): void {
    this.#file.close()
  }

  /** It has ended, and the catalog knows. */
  discard(): void {
    this.#file.discard()
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
        this.#refusedUnsaved -= next.refused.length
      }
    } catch (error) {
      this.#failure = error
    } finally {
      this.#savedAt = performance.now()
      this.#saving = undefined
    }
  }
}
