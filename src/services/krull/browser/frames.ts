import type { Readable } from 'node:stream'

/** A message that was too long to read: what can be told of it from its beginning. */
export interface Oversized {
  readonly id: number | undefined
  readonly bytes: number
}

const NUL = 0
const HEAD = 64

/**
 * Cuts what the browser writes into messages, each ended by a zero byte. A message past `limit` is not kept: a reply of
 * 512 MB would end this process, as no string can be that long.
 */
export class FrameReader {
  readonly #limit: number
  readonly #onFrame: (text: string) => void
  readonly #onOversized: (message: Oversized) => void
  #chunks: Buffer[] = []
  #bytes = 0
  #head: Buffer = Buffer.alloc(0)

  constructor(limit: number, onFrame: (text: string) => void, onOversized: (message: Oversized) => void) {
    this.#limit = limit
    this.#onFrame = onFrame
    this.#onOversized = onOversized
  }

  attach(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  #read(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(NUL); end >= 0; end = chunk.indexOf(NUL, start)) {
      this.#add(chunk.subarray(start, end))
      this.#finish()
      start = end + 1
    }
    if (start < chunk.length) this.#add(chunk.subarray(start))
  }

  #add(part: Buffer): void {
    if (this.#bytes === 0) this.#head = part.subarray(0, HEAD)
    this.#bytes += part.length
    if (this.#bytes <= this.#limit) this.#chunks.push(part)
    else this.#chunks = []
  }

  #finish(): void {
    const chunks = this.#chunks
    const bytes = this.#bytes
    this.#chunks = []
    this.#bytes = 0
    if (bytes <= this.#limit) {
      this.#onFrame((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString())
      return
    }
    const id = /^\{"id":(\d+)/.exec(this.#head.toString('latin1'))?.[1]
    this.#onOversized({ id: id === undefined ? undefined : Number(id), bytes })
  }
}
