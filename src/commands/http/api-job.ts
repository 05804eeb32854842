import type { Row } from '../../language/json.ts'
import type { Headers } from '../../network/redirect.ts'
import type { JobRequest } from '../command.ts'
import { CommandFailure } from '../failure.ts'
import { type BodyFlags, bodyOf } from './body.ts'
import { readContent } from './content.ts'
import type { HttpContext } from './context.ts'
import type { Format } from './format.ts'
import { metaOf } from './meta.ts'
import type { Ask, Page } from './page.ts'
import { type PageFlags, pagerOf, pages } from './pagination.ts'
import { type PollingFlags, polled } from './polling.ts'
import {
  type ConnectionFlags,
  connectionOf,
  type HeaderFlags,
  headersOf,
  secretsIn,
  withQuery,
} from './request.ts'
import { type Accepts, parseAccept, refusedStatus } from './status.ts'

interface ApiFlags extends BodyFlags, HeaderFlags, ConnectionFlags, PageFlags, PollingFlags {
  readonly query: BodyFlags['form']
  readonly serializer: Format | 'auto'
  readonly accept: string
  readonly meta: boolean
  readonly 'pagination.max': number
}

export interface ApiContext extends HttpContext {
  readonly args: { readonly method: string; readonly url: string }
  readonly flags: ApiFlags
}

/** Methods that change something, and so carry a key by which the server can tell a second try from a second wish. */
const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** What `api` does for one row: its requests, page after page. */
export class ApiJob {
  readonly #context: ApiContext
  readonly #flags: ApiFlags
  readonly #method: string
  readonly #accepts: Accepts
  readonly #headers: Headers
  #requests = 0

  constructor(context: ApiContext) {
    this.#context = context
    this.#flags = context.flags
    this.#method = context.args.method.toUpperCase()
    this.#accepts = parseAccept(context.flags.accept)
    this.#headers = headersOf(context.flags)
  }

  async *rows(): AsyncGenerator<Row> {
    const { query, data, form } = this.#flags
    const first: Ask = { url: withQuery(this.#context.args.url, query), data, form, foreign: false }
    const pager = pagerOf(this.#flags, first, this.#context)
    const fetchPage = (ask: Ask) => this.#page(ask)
    for await (const page of pages(first, pager, this.#flags['pagination.max'], fetchPage, this.#context)) {
      yield* this.#rowsOf(page)
    }
  }

  /** `head` has no body: what it asks for is in `_api`. */
  #rowsOf({ content, meta }: Page): Iterable<Row> {
    if (this.#method === 'HEAD') return [{ _api: meta }]
    return this.#flags.meta ? content.rows.map(row => ({ ...row, _api: meta })) : content.rows
  }

  #page(ask: Ask): Promise<Page> {
    return polled(
      this.#flags,
      this.#context,
      () => this.#ask(ask),
      ({ content, meta }) => ({ ...content.rows[0], _api: meta }),
    )
  }

  async #ask(ask: Ask): Promise<Page> {
    const { serializer, maxBytes } = this.#flags
    const before = this.#context.attempts()
    const response = await this.#context.fetch(this.#request(ask))
    const meta = metaOf(response, this.#context.attempts() - before)
    if (!this.#accepts(response.status)) throw refusedStatus(response)
    return { content: await readContent(response, serializer, maxBytes, this.#context), response, meta }
  }

  #request(ask: Ask): JobRequest {
    const request = {
      url: ask.url,
      method: this.#method,
      accepts: this.#accepts,
      ...connectionOf(this.#flags),
    }
    if (ask.foreign) return { ...request, ...this.#foreign(ask) }
    const body = bodyOf({ data: ask.data, form: ask.form, multipart: this.#flags.multipart })
    return {
      ...request,
      headers: {
        accept: '*/*',
        ...(body && { 'content-type': body.type }),
        ...(WRITES.has(this.#method) && { 'idempotency-key': `${this.#context.jobId}.${this.#requests++}` }),
        ...this.#headers,
      },
      secretHeaders: secretsIn(this.#headers),
      ...(body && { body: body.body }),
    }
  }

  /** The host was chosen by the answer of another: it learns nothing of what the user sends to that one. */
  #foreign({ url }: Ask): Pick<JobRequest, 'headers' | 'fromData'> {
    if (this.#method !== 'GET' && this.#method !== 'HEAD')
      throw new CommandFailure(
        'foreign_page',
        `The next page is on another host, ${url.host}, and only get follows a pointer there.`,
        { hint: 'If that is right, write the host yourself: --pagination.url "https://…$pagination.next$".' },
      )
    return { headers: { accept: '*/*' }, fromData: true }
  }
}
