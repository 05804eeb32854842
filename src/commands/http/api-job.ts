import type { Row } from '../../language/json.ts'
import type { Headers } from '../../network/redirect.ts'
import type { WholeResponse } from '../../network/whole-response.ts'
import type { JobRequest } from '../command.ts'
import { CommandFailure } from '../failure.ts'
import { type BodyFlags, bodyOf } from './body.ts'
import { readContent } from './content.ts'
import type { HttpContext } from './context.ts'
import type { Format } from './format.ts'
import { metaOf } from './meta.ts'
import type { Ask, Page } from './page.ts'
import { type PageFlags, type Pager, pagerOf, pages } from './pagination.ts'
import { type PollingFlags, polled } from './polling.ts'
import {
  type ConnectionFlags,
  connectionOf,
  type HeaderFlags,
  headersOf,
  secretsIn,
  withQuery,
} from './request.ts'
import type { Content } from './serializers/content.ts'
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

/** What follows from the flags alone. */
interface Manner {
  readonly accepts: Accepts
  readonly connection: ReturnType<typeof connectionOf>
  /** Those of a request that carries nothing and changes nothing: one object for all rows. */
  readonly headers: Headers
  readonly ownHeaders: Headers
  readonly secretHeaders: readonly string[]
}

/** Flags that are the same for all rows of a stage are one object: this is worked out once for them. */
const MANNERS = new WeakMap<ApiFlags, Manner>()

function mannerOf(flags: ApiFlags): Manner {
  const known = MANNERS.get(flags)
  if (known) return known
  const own = headersOf(flags)
  const manner = {
    accepts: parseAccept(flags.accept),
    connection: connectionOf(flags),
    headers: { accept: '*/*', ...own },
    ownHeaders: own,
    secretHeaders: secretsIn(own),
  }
  MANNERS.set(flags, manner)
  return manner
}

const itself = (page: Page): Page => page

/** What `api` does for one row: its requests, page after page. */
export class ApiJob {
  readonly #context: ApiContext
  readonly #flags: ApiFlags
  readonly #method: string
  readonly #manner: Manner
  #requests = 0

  constructor(context: ApiContext) {
    this.#context = context
    this.#flags = context.flags
    this.#method = context.args.method.toUpperCase()
    this.#manner = mannerOf(context.flags)
  }

  rows(): Promise<readonly Row[]> | AsyncIterable<readonly Row[]> {
    const { query, data, form } = this.#flags
    const first: Ask = { url: withQuery(this.#context.args.url, query), data, form, foreign: false }
    const pager = pagerOf(this.#flags, first, this.#context)
    if (pager) return this.#rowsOfPages(first, pager)
    return this.#flags.while
      ? this.#polled(first).then(page => this.#rowsOf(page))
      : this.#ask(first, page => this.#rowsOf(page))
  }

  async *#rowsOfPages(first: Ask, pager: Pager): AsyncGenerator<readonly Row[]> {
    const fetchPage = (ask: Ask) => (this.#flags.while ? this.#polled(ask) : this.#ask(ask, itself))
    for await (const page of pages(first, pager, this.#flags['pagination.max'], fetchPage, this.#context)) {
      yield this.#rowsOf(page)
    }
  }

  /** `head` has no body: what it asks for is in `_api`. */
  #rowsOf(page: Page): readonly Row[] {
    const { rows } = page.content
    if (this.#method === 'HEAD') return [{ _api: metaOf(page) }]
    if (!this.#flags.meta) return rows
    const _api = metaOf(page)
    return rows.map(row => ({ ...row, _api }))
  }

  #polled(ask: Ask): Promise<Page> {
    return polled(
      this.#flags,
      this.#context,
      () => this.#ask(ask, itself),
      page => ({ ...page.content.rows[0], _api: metaOf(page) }),
    )
  }

  #ask<T>(ask: Ask, take: (page: Page) => T): Promise<T> {
    const before = this.#context.attempts
    return this.#context.fetch(this.#request(ask)).then(response => {
      const attempts = this.#context.attempts - before
      const content = this.#read(response)
      return content instanceof Promise
        ? content.then(unpacked => take({ content: unpacked, response, attempts }))
        : take({ content, response, attempts })
    })
  }

  #read(response: WholeResponse): Content | Promise<Content> {
    const { serializer, maxBytes } = this.#flags
    if (!this.#manner.accepts(response.status)) throw refusedStatus(response)
    return readContent(response, serializer, maxBytes, this.#context)
  }

  #request(ask: Ask): JobRequest {
    const { accepts, connection, secretHeaders } = this.#manner
    const { verify, redirects, proxy, maxBytes } = connection
    const url = ask.url
    const method = this.#method
    if (ask.foreign)
      return { url, method, accepts, verify, redirects, proxy, maxBytes, ...this.#foreign(ask) }
    const body = bodyOf({ data: ask.data, form: ask.form, multipart: this.#flags.multipart })
    const headers = this.#headers(body?.type)
    return {
      url,
      method,
      accepts,
      verify,
      redirects,
      proxy,
      maxBytes,
      secretHeaders,
      headers,
      body: body?.body,
    }
  }

  #headers(contentType: string | undefined): Headers {
    const writes = WRITES.has(this.#method)
    if (contentType === undefined && !writes) return this.#manner.headers
    const headers: Headers = { accept: '*/*' }
    if (contentType !== undefined) headers['content-type'] = contentType
    if (writes) headers['idempotency-key'] = `${this.#context.jobId}.${this.#requests++}`
    return Object.assign(headers, this.#manner.ownHeaders)
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
