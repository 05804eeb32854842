import { appendFile, copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { Journal } from '../../src/engine/tables/journal.ts'
import { type Answer, type CallOptions, request } from '../http/support.ts'
import { type Served, serve } from './forage.ts'

const KEY = 'test-key-0123456789-0123456789-0123456789'

/** Forage as a process of its own that is ended and started again over the same data. */
export class CrashingForage {
  readonly #data: string
  readonly #env: NodeJS.ProcessEnv
  #served: Served | undefined

  constructor(data: string, env: NodeJS.ProcessEnv = {}) {
    this.#data = data
    this.#env = env
    // Also when a test has failed before it came to its end.
    after(() => this.end('SIGKILL'))
  }

  async start(): Promise<void> {
    this.#served = await serve(this.#data, { FORAGE_API_KEY: KEY, FORAGE_DEMO: 'false', ...this.#env })
  }

  async end(signal: NodeJS.Signals): Promise<number | null | undefined> {
    const served = this.#served
    this.#served = undefined
    return served?.end(signal)
  }

  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return request(this.#served!.address, KEY, method, path, options)
  }

  /** Dispatches a query and gives its id at once. */
  async dispatch(query: string, more: object = {}): Promise<string> {
    const answer = await this.call('POST', '/v1/sirp/query/runner/dispatch', {
      body: { query, ...more },
      headers: { prefer: 'respond-async' },
    })
    if (answer.status !== 200 && answer.status !== 202) throw new Error(answer.text)
    return answer.json.id
  }

  async get(path: string): Promise<Answer['json']> {
    return (await this.call('GET', `/v1/sirp/queries/${path}`)).json
  }

  /** The record of a query once it has ended. */
  async ended(id: string): Promise<Answer['json']> {
    await this.call('GET', `/v1/sirp/queries/${id}/events`)
    return this.get(id)
  }

  /** While it does not run: the input rows whose outcomes are in a journal. */
  async journaled(): Promise<Set<number>> {
    const done = new Set<number>()
    for (const file of await this.#journals()) {
      const copy = `${file}.copy`
      await copyFile(file, copy)
      const journal = await Journal.recover(copy)
      for (let input = 0, left = journal.done.size; left > 0; input++) {
        if (!journal.done.has(input)) continue
        done.add(input)
        left--
      }
      await journal.close()
    }
    return done
  }

  /** While it does not run: the beginning of a line, as a crash of the machine may leave it. */
  async tearJournals(): Promise<void> {
    for (const file of await this.#journals()) await appendFile(file, '{"_i":999999,"_n":1,"_b":33,"_h":12')
  }

  async #journals(): Promise<string[]> {
    const folder = join(this.#data, 'tables')
    const names = await readdir(folder).catch(() => [])
    return names.filter(name => name.endsWith('.ndjson')).map(name => join(folder, name))
  }
}
