import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FormData, Pool } from 'undici'
import { Child } from './child.ts'

const KEY = 'bench-key-0123456789-0123456789-0123456789'

interface Answer {
  readonly id: string
  readonly status: string
  readonly rows: number
  readonly results: readonly { readonly content: unknown }[]
}

/** Forage in a process of its own, and a client of it. */
export class Service {
  readonly #child: Child
  readonly #folder: string
  readonly #client: Pool

  private constructor(child: Child, folder: string, client: Pool) {
    this.#child = child
    this.#folder = folder
    this.#client = client
  }

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
    const folder = await mkdtemp(join(tmpdir(), 'forage-bench-'))
    const child = new Child('forage.ts', [join(folder, 'data'), KEY, JSON.stringify(settings)])
    const client = new Pool(await child.call<string>('address'), {
      connections: 100,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    return new Service(child, folder, client)
  }

  /** The query's record and first rows, when it is complete. */
  async query(text: string, limit = 10): Promise<Answer> {
    const { statusCode, body } = await this.#client.request({
      method: 'POST',
      path: `/v1/sirp/query/runner/dispatch/wait?limit=${limit}`,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: text }),
    })
    const answer = (await body.json()) as Answer
    if (statusCode !== 200 || answer.status !== 'completed')
      throw new Error(`${text}: ${statusCode} ${JSON.stringify(answer)}`)
    return answer
  }

  /** How long the last stage of a query took, in milliseconds: what came before it is measured elsewhere. */
  async lastStage(text: string): Promise<number> {
    const { id } = await this.query(text, 1)
    const { body } = await this.#client.request({
      method: 'GET',
      path: `/v1/sirp/queries/${id}/stages`,
      headers: { authorization: `Bearer ${KEY}` },
    })
    const { items } = (await body.json()) as { readonly items: readonly { readonly durationMs: number }[] }
    return items.at(-1)!.durationMs
  }

  /** The answer of another operation; any other status is a failure. */
  async post(path: string, sent: object, expected = 200): Promise<unknown> {
    const { statusCode, body } = await this.#client.request({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
    const answer = await body.json()
    if (statusCode !== expected) throw new Error(`${path}: ${statusCode} ${JSON.stringify(answer)}`)
    return answer
  }

  /** Rows as NDJSON, under a name in the cellar. */
  async upload(name: string, lines: string): Promise<void> {
    const form = new FormData()
    form.append('name', name)
    form.append('file', new Blob([lines]), `${name}.ndjson`)
    const { statusCode, body } = await this.#client.request({
      method: 'POST',
      path: '/v1/sirp/cellar/files',
      headers: { authorization: `Bearer ${KEY}` },
      body: form,
    })
    if (statusCode !== 201) throw new Error(`the upload of ${name}: ${statusCode} ${await body.text()}`)
    await body.dump()
  }

  /** In MB, the most that it took since it was asked last. */
  mostMemory(): Promise<number> {
    return this.#child.call('mostMemory')
  }

  memory(): Promise<number> {
    return this.#child.call('memory')
  }

  async stop(): Promise<void> {
    await this.#client.close()
    await this.#child.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
