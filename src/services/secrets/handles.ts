import { createHmac } from 'node:crypto'
import type { HandleFormat } from '../../engine/secrets.ts'
import { isSameToken } from './sessions.ts'

/** What a handle stands for. */
export interface HandleContent {
  readonly kind: 'credential' | 'secret'
  readonly name: string
  /** Of when the handle was made: the same secret under another version has another handle, and so another cache key. */
  readonly version: string
  readonly format: HandleFormat
}

const letters = { credential: 'c', secret: 's' } as const

/** Makes and reads handles. The code at their end is made with a key that never leaves: nobody else can make one. */
export class Handles {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  make({ kind, name, version, format }: HandleContent): string {
    const id = Buffer.from(name).toString('base64url')
    const text = `forage.${letters[kind]}.${id}.${version.slice(0, 8)}.${format}`
    return `${text}.${this.#code(text)}`
  }

  /** Undefined when it was not made here. */
  read(handle: string): HandleContent | undefined {
    const end = handle.lastIndexOf('.')
    const text = handle.slice(0, end)
    if (!isSameToken(handle.slice(end + 1), this.#code(text))) return undefined
    const [, letter, id, version, format] = text.split('.') as [string, string, string, string, HandleFormat]
    const kind = letter === letters.credential ? 'credential' : 'secret'
    return { kind, name: Buffer.from(id, 'base64url').toString(), version, format }
  }

  #code(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 22)
  }
}
