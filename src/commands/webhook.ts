import { type Row, stringifyJson } from '../language/json.ts'
import { NetworkError } from '../network/errors.ts'
import { command, type JobRequest, type ReduceContext } from './command.ts'
import { CommandFailure } from './failure.ts'
import { requestFlags } from './http/flags.ts'
import { headersOf } from './http/request.ts'
import { refusedStatus } from './http/status.ts'
import { withoutErrors } from './shared/errors.ts'

export default command({
  name: 'webhook',
  kind: 'reduce',
  group: 'send',
  summary: 'Posts the rows to an address',
  help: [
    'The rows are posted in their order, `--batch` of them in a request: as a JSON array, as NDJSON (a row on each line), or with `--format row` one in each request, as an object. They then go on to the next stage as they are. Rows that failed in an earlier stage (those with `_error`) are not sent unless `--errors true`, but go on as well. Without rows nothing is sent.',
    'Each request has an `Idempotency-Key` that stays the same when it is sent again, and is tried again like one that may be repeated: a receiver that must not take rows twice looks at the key. An answer that is not 2xx, or none, fails the query, which says how many rows had been delivered. The result is never cached.',
  ].join('\n\n'),
  arguments: [{ name: 'url', type: 'url', secret: true, help: 'Where to post them.' }],
  flags: [
    {
      name: 'format',
      type: 'choice',
      choices: ['json', 'ndjson', 'row'],
      default: 'json',
      help: 'How the rows are written.',
    },
    {
      name: 'batch',
      type: 'integer',
      min: 1,
      max: 10_000,
      default: 100,
      help: 'The most rows in a request.',
    },
    ...requestFlags,
    { name: 'errors', type: 'boolean', default: false, help: 'Send failed rows (those with `_error`) too.' },
  ],
  volatile: true,
  examples: [
    {
      title: 'The rows go on',
      input: [{ id: 1 }, { id: 2 }],
      query: 'webhook http://localhost:1969/hooks/orders',
      output: [{ id: 1 }, { id: 2 }],
    },
    {
      title: 'A request for each row, and what arrived',
      query:
        'range 1 2 n || webhook http://localhost:1969/hooks/numbers --format row || head 1 || api get http://localhost:1969/hooks/numbers',
      output: [{ n: 1 }, { n: 2 }],
    },
  ],
  reduce: async ({ input, args, flags, materialize, rows, fetch, stageId }) => {
    const table = await materialize(input)
    const delivery = new Delivery({
      url: args.url,
      format: flags.format,
      headers: headersOf(flags),
      stageId,
      fetch,
    })
    const size = flags.format === 'row' ? 1 : flags.batch
    for await (const batch of batches(rows(flags.errors ? table : withoutErrors(table)), size))
      await delivery.send(batch)
    return table
  },
})

async function* batches(chunks: AsyncIterable<readonly Row[]>, size: number): AsyncGenerator<readonly Row[]> {
  let waiting: Row[] = []
  for await (const chunk of chunks)
    for (const row of chunk) {
      waiting.push(row)
      if (waiting.length < size) continue
      yield waiting
      waiting = []
    }
  if (waiting.length > 0) yield waiting
}

type Format = 'json' | 'ndjson' | 'row'

interface DeliveryOptions {
  readonly url: string
  readonly format: Format
  readonly headers: NonNullable<JobRequest['headers']>
  readonly stageId: string
  readonly fetch: ReduceContext<unknown>['fetch']
}

/** Rows on their way to one address, and how many have arrived. */
class Delivery {
  readonly #options: DeliveryOptions
  #delivered = 0
  #requests = 0

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  async send(batch: readonly Row[]): Promise<void> {
    const { url, format, headers, stageId, fetch } = this.#options
    const response = await fetch({
      url,
      method: 'POST',
      headers: {
        'content-type': format === 'ndjson' ? 'application/x-ndjson' : 'application/json',
        'idempotency-key': `${stageId}.${this.#requests}`,
        ...headers,
      },
      body: bodyOf(batch, format),
      idempotent: true,
    }).catch(error => {
      if (error instanceof NetworkError && error.code !== 'aborted') throw this.#failure(batch, error.message)
      throw error
    })
    if (response.status < 200 || response.status > 299)
      throw this.#failure(batch, refusedStatus(response).message)
    this.#requests++
    this.#delivered += batch.length
  }

  #failure(batch: readonly Row[], reason: string): CommandFailure {
    const [from, to] = [this.#delivered + 1, this.#delivered + batch.length]
    const which = from === to ? `row ${from}` : `rows ${from} to ${to}`
    const before = this.#delivered === 1 ? '1 row has' : `${this.#delivered} rows have`
    return new CommandFailure(
      'webhook_failed',
      `The request with ${which} failed, ${before} been delivered before. ${reason}`,
      {
        hint: 'When the query runs again it sends all rows again.',
        sample: batch.slice(0, 3),
      },
    )
  }
}

function bodyOf(batch: readonly Row[], format: Format): string {
  if (format === 'ndjson') return batch.map(row => `${stringifyJson(row)}\n`).join('')
  return stringifyJson(format === 'row' ? batch[0]! : batch)
}
