import type { Spool } from './spool.ts'

/** Written at once; larger pieces are not copied together. */
const MOST_CHARACTERS = 1_000_000
/** A write wakes another thread, which takes as long as a job or two: so it waits for so many of them. */
const MOST_JOBS = 256

/** What is to be written to a journal next, in its order. */
export class WriteGroup {
  jobs = 0
  readonly #pieces: (string | Spool)[] = []
  #characters = 0

  add(text: string): void {
    this.#characters += text.length
    this.#pieces.push(text)
  }

  addSpool(spool: Spool): void {
    this.#pieces.push(spool)
  }

  /** Whether it has waited for enough. */
  get isFull(): boolean {
    return this.jobs >= MOST_JOBS || this.#characters >= MOST_CHARACTERS
  }

  /** Its parts, small ones put together. */
  async *parts(): AsyncGenerator<string | Uint8Array> {
    let text = ''
    for (const piece of this.#pieces) {
      if (typeof piece === 'string' && text.length + piece.length <= MOST_CHARACTERS) {
        text += piece
        continue
      }
      if (text !== '') yield text
      text = ''
      if (typeof piece === 'string') yield piece
      else yield* piece.take()
    }
    if (text !== '') yield text
  }
}
