import type { Batch, OutgoingRow } from '../../stores/shared/batch.ts'
import { type Rejection, type RowWriter, StoreError } from '../../stores/store.ts'
import type { DeliveryClock } from './clock.ts'

/** A row that the store will not take. */
export interface Refused {
  readonly item: OutgoingRow
  readonly code: string
  readonly message: string
}

export interface SenderOptions {
  readonly clock: DeliveryClock
  readonly signal: AbortSignal
  /** Milliseconds that a store which is out of reach is waited for. */
  readonly patienceMs: number
  /** What there is to wait for until it is the turn of so many rows. */
  turn(rows: number): Promise<void> | undefined
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

/** Brings batches to a store: what can succeed later is tried again, and of a batch only what failed. */
export class Sender {
  readonly #options: SenderOptions

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /**
   * Resolves when each row was taken or refused for good; gives the refused ones. Where there is no turn to wait for, the
   * batch has left when this returns.
   */
  async send(writer: RowWriter, batch: Batch): Promise<Refused[]> {
    const refused: Refused[] = []
    const patience = this.#patience()
    let pending = batch
    for (;;) {
      const turn = this.#options.turn(pending.size)
      if (turn) await turn
      const outcome = await this.#write(writer, pending, patience)
      if (outcome === 'again') continue
      if (outcome === 'split') return [...refused, ...(await this.#sendHalves(writer, pending))]
      const failed = outcome.rejected
      refused.push(...failed.filter(({ retryable }) => !retryable).map(found => refusal(pending, found)))
      const passing = failed.filter(({ retryable }) => retryable)
      if (passing.length === 0) return refused
      if (!(await patience.wait(outcome.retryAfterMs)))
        return [...refused, ...passing.map(found => refusal(pending, found))]
      pending = pending.pick(passing.map(({ index }) => index))
    }
  }

  /** The same for a step that is not a batch: opening, finishing, a whole file. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const patience = this.#patience()
    for (;;) {
      try {
        return await work()
      } catch (error) {
        await this.#waitAfter(error, patience)
      }
    }
  }

  async #write(writer: RowWriter, batch: Batch, patience: Patience) {
    try {
      return await writer.write(batch)
    } catch (error) {
      if (error instanceof StoreError && error.tooLarge) return batch.size > 1 ? 'split' : alone(error)
      await this.#waitAfter(error, patience)
      return 'again'
    }
  }

  async #sendHalves(writer: RowWriter, batch: Batch): Promise<Refused[]> {
    const [first, second] = batch.halves()
    return [...(await this.send(writer, first)), ...(await this.send(writer, second))]
  }

  async #waitAfter(error: unknown, patience: Patience): Promise<void> {
    this.#options.signal.throwIfAborted()
    if (!(error instanceof StoreError) || !error.retryable) throw error
    if (!(await patience.wait(error.retryAfterMs))) throw error
  }

  #patience(): Patience {
    return new Patience(this.#options)
  }
}

/** The waits between tries: full jitter up to twice the last bound, and never shorter than the store asks for. */
class Patience {
  readonly #options: SenderOptions
  #failures = 0
  #endsAt: number | undefined

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /** False when there is no time left. */
  async wait(askedMs = 0): Promise<boolean> {
    const { clock, signal, patienceMs } = this.#options
    this.#endsAt ??= clock.now() + patienceMs
    const bound = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#failures++, 10))
    const ms = Math.max(askedMs, Math.round(bound * clock.random()))
    if (clock.now() + ms > this.#endsAt) return false
    await clock.sleep(ms, signal)
    return true
  }
}

const refusal = (batch: Batch, { index, code, message }: Rejection): Refused => ({
  item: batch.items[index]!,
  code,
  message,
})

const alone = ({ code, message }: StoreError) => ({
  rejected: [{ index: 0, code, message, retryable: false }],
  retryAfterMs: undefined,
})
