import type { Readable } from 'node:stream'
import Type from 'typebox'
import type { HttpRequest } from '../network/http.ts'
import { retryAfterMs } from '../network/retry.ts'
import { Scope } from '../network/scope.ts'
import type { WholeResponse } from '../network/whole-response.ts'
import type { Batch } from './shared/batch.ts'
import { networkFailure } from './shared/dial.ts'
import {
  choice,
  type DeliveryTarget,
  type RowWriter,
  type StoreConfig,
  type StoreContext,
  StoreError,
  type StoreType,
  secret,
  storeSchema,
  TAKEN,
  type WriteOutcome,
} from './store.ts'

type Format = 'ndjson' | 'json' | 'row'
const ROWS = 100
const BYTES = 10 * 1024 * 1024
const NAME = '{name}'
/** What is read goes to the disk as it comes. */
const MOST_READ = 16 * 1024 ** 3

const HeaderMap = (description: string) =>
  Type.Record(Type.String({ minLength: 1, maxLength: 200 }), Type.String({ maxLength: 10_000 }), {
    description,
    maxProperties: 100,
  })

const store: StoreType = {
  type: 'http',
  title: 'HTTP',
  help: [
    'Rows go to an address, `batch` of them (100) in a request: as NDJSON (a row on each line), as a JSON array, or with `row` one in each request. `{name}` in the address stands for NAME of `freeze NAME --store …`.',
    '`thaw NAME --store …` gets the address; the answer is JSON, NDJSON, CSV or Parquet, told by what is in it.',
    'An answer from 200 to 299 takes the batch. 408, 425, 429 and 500 to 599 are tried again, after `Retry-After` where it says so; 413 sends the batch in halves. Any other refuses its rows. A receiver that takes only some rows answers 207 with `{ "rejected": [{ "index", "message", "retryable" }] }`.',
  ].join('\n\n'),
  guarantee:
    'Each request has an `Idempotency-Key`, the same whenever the same rows are sent again: exactly once with a receiver that looks at it, at least once with others.',
  schema: storeSchema(
    {
      url: Type.String({ pattern: '^https?://[^\\s/]+', maxLength: 10_000, description: 'The address' }),
      method: Type.Optional(choice(['POST', 'PUT', 'PATCH'], 'The method', 'POST')),
      headers: Type.Optional(HeaderMap('Headers that anybody may see')),
      format: Type.Optional(choice(['ndjson', 'json', 'row'], 'How rows are written', 'ndjson')),
      timeout: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 3600,
          default: 30,
          description: 'Seconds for a request',
        }),
      ),
    },
    {
      headers: Type.Optional(
        Type.Record(Type.String({ minLength: 1, maxLength: 200 }), Type.String({ maxLength: 100_000 }), {
          description: 'Headers that are secret, such as Authorization',
          maxProperties: 100,
          writeOnly: true,
        }),
      ),
      bearer: Type.Optional(secret('A token, sent as `Authorization: Bearer`')),
      tls: Type.Optional(
        Type.Object(
          {
            verify: Type.Boolean({
              default: true,
              description: 'Refuse a certificate that is not valid for the host',
            }),
          },
          { additionalProperties: false },
        ),
      ),
    },
  ),
  check: async (config, context, signal) => {
    const { url } = read(config)
    const response = await ask(config, context, { url: url.replaceAll(NAME, 'test'), method: 'HEAD', signal })
    // Most receivers know nothing but their own method; what counts is that one is there and knows us.
    if (response.status === 401 || response.status === 403)
      throw new StoreError(
        'unauthorized',
        `The server answers ${response.status}: the credentials do not hold.`,
      )
    if (response.status >= 500 && response.status !== 501)
      throw new StoreError('server_failed', `The server answers ${response.status}.`, { retryable: true })
  },
  open: async (config, target, context) => new HttpWriter(config, target, context),
  read: async (config, name, context, signal) => {
    const { url } = read(config)
    const asked = url.replaceAll(NAME, encodeURIComponent(nameOf(url, name, 'thaw')))
    return { kind: 'files', files: body(config, context, { url: asked, method: 'GET', signal }) }
  },
}
export default store

class HttpWriter implements RowWriter {
  readonly kind = 'rows'
  readonly ceiling: RowWriter['ceiling']
  readonly #config: StoreConfig
  readonly #context: StoreContext
  readonly #target: DeliveryTarget
  readonly #format: Format
  readonly #url: string

  constructor(config: StoreConfig, target: DeliveryTarget, context: StoreContext) {
    const { url, format } = read(config)
    this.#config = config
    this.#target = target
    this.#context = context
    this.#format = formatOf(target.format) ?? format
    this.#url = url.replaceAll(NAME, encodeURIComponent(nameOf(url, target.name, 'freeze')))
    const { batch = ROWS } = config.configuration as { batch?: number }
    this.ceiling = { rows: this.#format === 'row' ? 1 : batch, bytes: BYTES }
  }

  async write(batch: Batch): Promise<WriteOutcome> {
    const response = await ask(this.#config, this.#context, {
      url: this.#url,
      method: read(this.#config).method,
      signal: this.#target.signal,
      headers: {
        'content-type': this.#format === 'ndjson' ? 'application/x-ndjson' : 'application/json',
        'idempotency-key': batch.id,
      },
      body: bodyOf(batch, this.#format),
    })
    return outcomeOf(response, batch)
  }

  async finish(): Promise<void> {}
  async close(): Promise<void> {}
}

/** The one file that an address answers with; it is read as it comes. */
async function* body(config: StoreConfig, { client }: StoreContext, asked: Asked): AsyncGenerator<Readable> {
  const response = await client.request({ ...requestOf(config, asked), maxBytes: MOST_READ }).catch(error => {
    throw networkFailure(error)
  })
  const { status } = response
  if (status === 200) return yield response.stream()
  response.discard()
  if (status === 204) return
  const message = `The server answers ${status} to GET.`
  if (isPassing(status)) {
    const wait = retryAfterMs(response.header('retry-after'), Date.now())
    throw new StoreError('server_failed', message, { retryable: true, retryAfterMs: wait })
  }
  throw new StoreError(status === 404 || status === 410 ? 'not_found' : 'not_readable', message)
}

interface Asked {
  readonly url: string
  readonly method: string
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

async function ask(config: StoreConfig, { client }: StoreContext, asked: Asked): Promise<WholeResponse> {
  try {
    return await client.fetch(requestOf(config, asked))
  } catch (error) {
    throw networkFailure(error)
  }
}

function requestOf(config: StoreConfig, asked: Asked): HttpRequest {
  const { headers, secrets, timeout, verify } = read(config)
  return {
    ...asked,
    scope: Scope.ofUrl(asked.url),
    headers: { ...asked.headers, ...headers, ...secrets },
    secretHeaders: Object.keys(secrets),
    // A redirect of a POST loses its body; the address is to be set right instead.
    redirects: 0,
    timeoutMs: timeout * 1000,
    verify,
  }
}

const RETRYABLE = new Set([408, 425, 429])
const isPassing = (status: number): boolean => RETRYABLE.has(status) || (status >= 500 && status <= 599)

function outcomeOf(response: WholeResponse, batch: Batch): WriteOutcome {
  const { status } = response
  if (status === 207) return partly(response, batch)
  if (status >= 200 && status <= 299) return TAKEN
  const message = `The server answers ${status}${answerText(response)}`
  const wait = retryAfterMs(response.header('retry-after'), Date.now())
  if (isPassing(status))
    throw new StoreError('server_failed', message, { retryable: true, retryAfterMs: wait })
  if (status === 413 && batch.size > 1) throw new StoreError('too_large', message, { tooLarge: true })
  // These speak of the whole store, not of its rows: nothing would get through.
  if ([301, 302, 303, 307, 308, 401, 403, 404, 405, 410].includes(status))
    throw new StoreError('refused', `${message} Look at the address and the credentials of the store.`)
  return {
    rejected: batch.items.map((_item, index) => ({
      index,
      code: `status_${status}`,
      retryable: false,
      message,
    })),
  }
}

interface Partly {
  readonly index?: unknown
  readonly message?: unknown
  readonly code?: unknown
  readonly retryable?: unknown
}

function partly(response: WholeResponse, batch: Batch): WriteOutcome {
  const listed = rejectedIn(response)
  if (listed === undefined)
    throw new StoreError('bad_answer', 'The server answers 207 without `{ "rejected": [{ "index" }] }`.')
  return {
    retryAfterMs: retryAfterMs(response.header('retry-after'), Date.now()),
    rejected: listed.map(({ index, message, code, retryable }) => {
      if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= batch.size)
        throw new StoreError(
          'bad_answer',
          'The server answers 207 with the index of a row that was not sent.',
        )
      return {
        index: Number(index),
        code: String(code ?? 'refused'),
        retryable: retryable === true,
        message: String(message ?? 'refused without a reason'),
      }
    }),
  }
}

function rejectedIn(response: WholeResponse): readonly Partly[] | undefined {
  try {
    const { rejected } = JSON.parse(response.bytes.toString('utf8')) as { rejected?: unknown }
    return Array.isArray(rejected) ? (rejected as Partly[]) : undefined
  } catch {
    return undefined
  }
}

/** The beginning of what it says, where that is text. */
function answerText(response: WholeResponse): string {
  const isText = /^(text\/plain|application\/(problem\+)?json)/.test(response.header('content-type') ?? '')
  const text = isText ? response.bytes.toString('utf8').trim().slice(0, 300) : ''
  return text === '' ? '.' : `: ${text}`
}

function bodyOf(batch: Batch, format: Format): string {
  const texts = batch.items.map(item => item.text)
  if (format === 'ndjson') return `${texts.join('\n')}\n`
  return format === 'row' ? texts[0]! : `[${texts.join(',')}]`
}

function formatOf(format: DeliveryTarget['format']): Format | undefined {
  if (format === undefined || format === 'ndjson' || format === 'json' || format === 'row') return format
  throw new StoreError('wrong_format', `Stores of type http take ndjson, json or row, not ${format}.`)
}

function nameOf(url: string, name: string | undefined, command: 'freeze' | 'thaw'): string {
  if (name !== undefined || !url.includes(NAME)) return name ?? ''
  throw new StoreError('no_target', `The address has ${NAME} in it: write \`${command} NAME --store …\`.`)
}

function read({ configuration, credentials }: StoreConfig) {
  const {
    url,
    method = 'POST',
    headers = {},
    format = 'ndjson',
    timeout = 30,
  } = configuration as {
    url: string
    method?: string
    headers?: Record<string, string>
    format?: Format
    timeout?: number
  }
  const {
    headers: hidden = {},
    bearer,
    tls,
  } = credentials as { headers?: Record<string, string>; bearer?: string; tls?: { verify: boolean } }
  const secrets = { ...hidden, ...(bearer && { authorization: `Bearer ${bearer}` }) }
  return { url, method, headers, format, timeout, secrets, verify: tls?.verify ?? true }
}
