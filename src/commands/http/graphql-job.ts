import { type Json, type Row, stringifyJson } from '../../language/json.ts'
import { textOf } from '../../language/resolve.ts'
import type { Path } from '../../language/values.ts'
import type { Headers } from '../../network/redirect.ts'
import type { WholeResponse } from '../../network/whole-response.ts'
import { CommandFailure } from '../failure.ts'
import type { HttpContext } from './context.ts'
import { isMutation, operationsIn } from './graphql-document.ts'
import { metaOf } from './meta.ts'
import type { Ask, Page } from './page.ts'
import { pages, pointerPager } from './pagination.ts'
import { type ConnectionFlags, connectionOf, type HeaderFlags, headersOf, secretsIn } from './request.ts'
import { asRow, isRow } from './serializers/content.ts'
import { json } from './serializers/json.ts'
import { refusedStatus } from './status.ts'

interface GraphqlFlags extends HeaderFlags, ConnectionFlags {
  readonly variables: Json | undefined
  readonly operation: string | undefined
  readonly rows: Path | undefined
  readonly meta: boolean
  readonly 'pagination.next': Path | undefined
  readonly 'pagination.max': number
}

export interface GraphqlContext extends HttpContext {
  readonly args: { readonly url: string; readonly query: string }
  readonly flags: GraphqlFlags
}

/** What `graphql` does for one row. */
export class GraphqlJob {
  readonly #context: GraphqlContext
  readonly #flags: GraphqlFlags
  readonly #headers: Headers
  readonly #isMutation: boolean
  #requests = 0

  constructor(context: GraphqlContext) {
    this.#context = context
    this.#flags = context.flags
    this.#headers = headersOf(context.flags)
    this.#isMutation = isMutation(context.args.query)
    if (operationsIn(context.args.query).includes('subscription'))
      throw new CommandFailure(
        'graphql_subscription',
        'A subscription has no end: graphql takes queries and mutations.',
      )
  }

  async *rows(): AsyncGenerator<readonly Row[]> {
    const { 'pagination.next': path, 'pagination.max': max, meta: withMeta } = this.#flags
    const first: Ask = {
      url: new URL(this.#context.args.url),
      data: this.#flags.variables,
      form: undefined,
      foreign: false,
    }
    const pager = path && pointerPager(path, pointer => ask => this.#next(pointer, ask))
    for await (const page of pages(first, pager, max, ask => this.#ask(ask), this.#context)) {
      const { rows } = page.content
      const _api = withMeta ? metaOf(page) : undefined
      yield _api ? rows.map(row => ({ ...row, _api })) : rows
    }
  }

  /** The pointer goes into the variables; were it not used there, the same page would come for ever. */
  #next(pointer: Json, ask: Ask): Ask {
    const variables = this.#context.withPointer('variables', pointer)
    if (stringifyJson(variables) !== stringifyJson(ask.data ?? null)) return { ...ask, data: variables }
    throw new CommandFailure('pagination_pointer', 'The pointer to the next page is used nowhere.', {
      hint: 'Put it into a variable: --variables \'{"after": "$pagination.next$"}\'.',
    })
  }

  async #ask({ url, data }: Ask): Promise<Page> {
    const { query } = this.#context.args
    const { operation } = this.#flags
    const before = this.#context.attempts
    const response = await this.#context.fetch({
      ...connectionOf(this.#flags),
      url,
      method: 'POST',
      idempotent: !this.#isMutation,
      body: stringifyJson({
        query,
        ...(data !== undefined && { variables: data }),
        ...(operation !== undefined && { operationName: operation }),
      }),
      headers: {
        accept: 'application/graphql-response+json, application/json',
        'content-type': 'application/json',
        ...(this.#isMutation && { 'idempotency-key': `${this.#context.jobId}.${this.#requests++}` }),
        ...this.#headers,
      },
      secretHeaders: secretsIn(this.#headers),
    })
    const attempts = this.#context.attempts - before
    const document = this.#answer(response)
    return { content: { rows: this.#rowsIn(document), document }, response, attempts }
  }

  /** The whole answer, if it is one: errors of GraphQL come with any status. */
  #answer(response: WholeResponse): Row {
    const isOk = response.status >= 200 && response.status <= 299
    const document =
      isOk || /json/.test(response.header('content-type') ?? '') ? this.#read(response, isOk) : null
    if (document !== null && isRow(document)) {
      if (Array.isArray(document.errors) && document.errors.length > 0) throw graphqlError(document.errors)
      if (isOk && 'data' in document) return document
    }
    if (!isOk) throw refusedStatus(response)
    throw new CommandFailure(
      'not_graphql',
      'The answer is not one of GraphQL: it has neither data nor errors.',
    )
  }

  #read(response: WholeResponse, isOk: boolean): Json {
    try {
      const { maxBytes } = this.#flags
      const source = { bytes: response.bytes, type: '', name: '', maxBytes, context: this.#context }
      return (json(source) as Page['content']).document
    } catch (error) {
      if (isOk) throw error
      return null
    }
  }

  #rowsIn({ data = null }: Row): Row[] {
    const { rows: path } = this.#flags
    if (path)
      return picked(data, path.segments)
        .flatMap(value => (Array.isArray(value) ? value : [value]))
        .map(asRow)
    return data === null ? [] : rowsIn(data)
  }
}

/** `products.edges.node` goes through lists: a step that is no number is taken in each of their items. */
function picked(value: Json, segments: readonly string[]): Json[] {
  const [segment, ...rest] = segments
  if (value === null) return []
  if (segment === undefined) return [value]
  if (Array.isArray(value) && !/^\d+$/.test(segment)) return value.flatMap(item => picked(item, segments))
  const next = typeof value === 'object' && Object.hasOwn(value, segment) ? (value as Row)[segment]! : null
  return picked(next, rest)
}

/** One field: its list is rows, its object a row. Several fields are one row. */
function rowsIn(data: Json): Row[] {
  if (!isRow(data)) return [asRow(data)]
  const fields = Object.values(data)
  const [only] = fields
  if (fields.length !== 1 || typeof only !== 'object') return [data]
  if (only === null) return []
  return Array.isArray(only) ? only.map(asRow) : [only as Row]
}

const MOST_ERRORS = 3

function graphqlError(errors: readonly Json[]): CommandFailure {
  const messages = errors.slice(0, MOST_ERRORS).map(error => {
    const { message = null, path = null } = asRow(error)
    const where = Array.isArray(path) ? ` (at ${path.map(textOf).join('.')})` : ''
    return `${message === null ? textOf(error) : textOf(message)}${where}`
  })
  const more = errors.length > MOST_ERRORS ? ` And ${errors.length - MOST_ERRORS} more.` : ''
  return new CommandFailure('graphql_error', `GraphQL says: ${messages.join('; ')}${more}`)
}
