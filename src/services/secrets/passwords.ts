import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Semaphore } from '../../engine/tables/semaphore.ts'
import { ForageError } from '../../errors.ts'

const derive = promisify(argon2)

/** 19 MiB, two passes: what OWASP names as the least, some 60 ms of one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32
/** Each takes its memory and a core: more at once would only let a stranger slow everybody down. */
const atOnce = 2
const mostWaiting = 64

/** Hashes of passwords, in the usual text form of argon2id, so many at a time. */
export class Passwords {
  readonly #places = new Semaphore(atOnce)
  #waiting = 0

  async hash(password: string): Promise<string> {
    const nonce = randomBytes(16)
    const tag = await this.inTurn(() => tagOf(password, nonce, cost))
    return written(nonce, tag)
  }

  /** Whether the password belongs to the hash. Without a hash it takes as long, and does not. */
  async matches(password: string, hash: string | undefined): Promise<boolean> {
    const { nonce, tag, ...own } = parsed(hash ?? nobody)
    const equal = timingSafeEqual(await tagOf(password, nonce, own), tag)
    return equal && hash !== undefined
  }

  /** Runs work that hashes when a place is free; with too many waiting already it is refused. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= mostWaiting)
      throw new ForageError('too_many_requests', 'Too many passwords are being checked at the moment.', {
        retryAfterSeconds: 5,
      })
    this.#waiting++
    const release = await this.#places.acquire()
    try {
      return await work()
    } finally {
      this.#waiting--
      release()
    }
  }
}

type Cost = typeof cost

const tagOf = (password: string, nonce: Buffer, { memory, passes, parallelism }: Cost): Promise<Buffer> =>
  derive('argon2id', {
    // One way to write a letter with an accent, whatever the keyboard sends.
    message: password.normalize('NFC'),
    nonce,
    memory,
    passes,
    parallelism,
    tagLength,
  })

function parsed(hash: string): Cost & { readonly nonce: Buffer; readonly tag: Buffer } {
  const [, memory, passes, parallelism, nonce, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/-]+)\$([\w+/-]+)$/.exec(hash) ?? []
  if (tag === undefined || nonce === undefined) throw new Error('a password hash in the catalog is damaged')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function written(nonce: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(nonce)}$${text(tag)}`
}

/** Base64 without padding, as the text form has it. */
const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** Compared with when there is no such user, so that this takes as long. */
const nobody = written(Buffer.alloc(16), Buffer.alloc(tagLength))
