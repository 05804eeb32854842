import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How far a delivery of so many rows has come. */
export interface Reached {
  readonly total: number
  readonly done: number
  readonly bytes: number
}

const LENGTH = 96

/**
 * How far a delivery has come, in a file that is overwritten in place: a few microseconds for each batch, and what was
 * written is with the operating system, so that `kill -9` takes nothing of it. The catalog, which withstands a power cut
 * too, takes a thousand times as long.
 */
export class ProgressFile {
  readonly #path: string
  #file: number | undefined

  constructor(folder: string, deliveryId: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#path = join(folder, createHash('sha256').update(deliveryId).digest('hex'))
  }

  read(): Reached | undefined {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Reached
    } catch {
      return undefined
    }
  }

  write(reached: Reached): void {
    this.#file ??= openSync(this.#path, 'w', 0o600)
    writeSync(this.#file, JSON.stringify(reached).padEnd(LENGTH), 0)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  discard(): void {
    this.close()
    rmSync(this.#path, { force: true })
  }

  /** Takes away what deliveries have left that nobody took up again. */
  static async sweep(folder: string, before: Date): Promise<void> {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name)
      const found = await stat(path).catch(() => undefined)
      if (found && found.mtime < before) await rm(path, { force: true })
    }
  }
}
