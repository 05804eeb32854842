import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CrashingForage } from './crashing.ts'
import { json, type Target, target } from './target.ts'

const ROWS = 1000
/** Of the sixteen at once: those that run, and eight times as many whose outcomes wait to be written. */
const MOST_IN_FLIGHT = 9 * 16

/** A query of a thousand rows against a target that counts, to be interrupted. */
export class FanOut {
  readonly #forage: CrashingForage
  readonly #items: Target
  /** Rows that must not be asked for any more, with how often they had been. */
  readonly #settled = new Map<string, number>()
  /** Requests that interruptions have made in vain. */
  #lost = 0
  #id = ''

  private constructor(forage: CrashingForage, items: Target) {
    this.#forage = forage
    this.#items = items
  }

  static async begin(forage: CrashingForage): Promise<FanOut> {
    const items = await target(async (request, response) => {
      await sleep(1 + Math.random() * 6)
      const n = Number(request.url!.slice('/item/'.length))
      // Rows of different kinds, so that types have to be learnt again from the journal.
      json(response, { n, name: `item ${n}`, ...(n % 100 === 0 && { late: { at: n } }) })
    })
    const fanOut = new FanOut(forage, items)
    await forage.start()
    fanOut.#id = await forage.dispatch(`range 1 ${ROWS} n || api get ${items.url}/item/$n$`)
    return fanOut
  }

  /** Ends the process once so many more rows have been asked for, and starts it again. False when it was too late. */
  async interrupt(signal: NodeJS.Signals, afterRequests: number): Promise<boolean> {
    const until = this.#items.requests.length + afterRequests
    while (this.#items.requests.length < until) {
      if ((await this.#forage.get(this.#id)).status === 'completed') return false
      await sleep(1)
    }
    const status = await this.#forage.end(signal)
    assert.equal(status, signal === 'SIGTERM' ? 0 : null)
    await this.#noteJournaled()
    await this.#forage.tearJournals()
    await this.#forage.start()
    return true
  }

  async #noteJournaled(): Promise<void> {
    const counts = this.#items.counts()
    for (const row of await this.#forage.journaled()) {
      const path = `/item/${row + 1}`
      this.#settled.set(path, counts.get(path)!)
    }
    const inFlight = counts.size - this.#settled.size
    assert.ok(inFlight <= MOST_IN_FLIGHT, `${inFlight} rows were fetched and not in the journal`)
    this.#lost += inFlight
  }

  /** The query completes, every row is there once and in order, and nothing was fetched again without need. */
  async verify(): Promise<void> {
    const record = await this.#forage.ended(this.#id)
    assert.equal(record.status, 'completed', JSON.stringify(record.error))
    assert.deepEqual([record.rows, record.failedRows], [ROWS, 0])
    const { results } = await this.#forage.get(`${this.#id}/results?limit=1000`)
    assert.deepEqual(
      results.map((row: { content: { n: number } }) => row.content.n),
      Array.from({ length: ROWS }, (_, n) => n + 1),
    )
    assert.deepEqual(results[199].content, { n: 200, name: 'item 200', late: { at: 200 } })
    const counts = this.#items.counts()
    for (const [path, count] of this.#settled)
      assert.equal(counts.get(path), count, `${path} was in the journal and was fetched again`)
    const again = this.#items.requests.length - ROWS
    assert.ok(
      again <= this.#lost,
      `${again} rows were fetched again, though only ${this.#lost} were in flight`,
    )
    const { items } = await this.#forage.get(`${this.#id}/stages`)
    assert.deepEqual(
      items.map((stage: { status: string; jobs: { done: number } | null }) => [
        stage.status,
        stage.jobs?.done,
      ]),
      [
        ['completed', undefined],
        ['completed', ROWS],
      ],
    )
  }
}
