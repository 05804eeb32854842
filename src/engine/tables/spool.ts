import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Row } from '../../language/json.ts'
import type { Lines } from './lines.ts'

/** A job with more text than this has a file of its own until it is done. */
const MOST_CHARACTERS = 1_000_000
const BLOCK_BYTES = 1_000_000

/**
 * The rows of a job that come one after another, however many: what memory should not hold goes to a scratch file. A
 * stretch of the journal is written in one piece, by a job that is complete, so these lines are copied there at its end.
 */
export class Spool {
  readonly lines: Lines
  readonly #file: string
  #held: string[] = []
  #heldCharacters = 0
  #handle: FileHandle | undefined

  constructor(file: string, lines: Lines) {
    this.#file = file
    this.lines = lines
  }

  /** A promise where there is something to wait for: what is held is going to the disk. */
  write(rows: Iterable<Row>): Promise<void> | undefined {
    for (const piece of this.lines.encode(rows)) {
      this.#held.push(piece)
      this.#heldCharacters += piece.length
    }
    return this.#heldCharacters > MOST_CHARACTERS ? this.#spill() : undefined
  }

  /** Everything that was written, in order; then it is gone. */
  async *take(): AsyncGenerator<string | Uint8Array> {
    const block = this.#handle && Buffer.allocUnsafe(BLOCK_BYTES)
    for (let at = 0; block && this.#handle; ) {
      const { bytesRead } = await this.#handle.read(block, 0, BLOCK_BYTES, at)
      if (bytesRead === 0) break
      at += bytesRead
      yield block.subarray(0, bytesRead)
    }
    yield* this.#held
    await this.discard()
  }

  async discard(): Promise<void> {
    this.#held = []
    const handle = this.#handle
    this.#handle = undefined
    if (!handle) return
    await handle.close()
    await rm(this.#file, { force: true })
  }

  async #spill(): Promise<void> {
    this.#handle ??= await open(this.#file, 'wx+', 0o600)
    for (const piece of this.#held) await this.#handle.appendFile(piece)
    this.#held = []
    this.#heldCharacters = 0
  }
}
