import type { IncomingMessage, ServerResponse } from 'node:http'
import { Call } from './call.ts'
import { Refusal, type Reply } from './reply.ts'

/** A handler that answers by itself, byte by byte, returns nothing. */
export type Handler = (call: Call) => Reply | undefined | Promise<Reply | undefined>

export interface Route {
  area: string
  method: string
  /** As in `/shop/product/:id`. */
  path: string
  about: string
  /** An address to try, for the first page. */
  example: string
}

interface Match {
  handlers: Map<string, Handler>
  params: Record<string, string>
}

interface Pattern {
  expression: RegExp
  handlers: Map<string, Handler>
}

export class Router {
  readonly routes: Route[] = []
  readonly #plain = new Map<string, Map<string, Handler>>()
  readonly #patterns = new Map<string, Pattern>()
  readonly #refuse: (call: Call, refusal: Refusal) => Reply
  #area = ''

  constructor(refuse: (call: Call, refusal: Refusal) => Reply) {
    this.#refuse = refuse
  }

  /** The routes that follow belong to this part of the site. */
  area(name: string): void {
    this.#area = name
  }

  get(path: string, about: string, handler: Handler, example = path): void {
    this.#add('GET', path, about, handler, example)
  }

  post(path: string, about: string, handler: Handler): void {
    this.#add('POST', path, about, handler, path)
  }

  /** All methods: for what answers about the request itself. */
  any(path: string, about: string, handler: Handler, example = path): void {
    this.#add('any', path, about, handler, example)
  }

  #add(method: string, path: string, about: string, handler: Handler, example: string): void {
    this.routes.push({ area: this.#area, method, path, about, example })
    this.#handlersOf(path).set(method, handler)
  }

  #handlersOf(path: string): Map<string, Handler> {
    if (!path.includes(':')) {
      const handlers = this.#plain.get(path) ?? new Map<string, Handler>()
      this.#plain.set(path, handlers)
      return handlers
    }
    const source = path.replaceAll('.', '\\.').replace(/:(\w+)/g, '(?<$1>[^/]+?)')
    const pattern = this.#patterns.get(path) ?? { expression: new RegExp(`^${source}$`), handlers: new Map() }
    this.#patterns.set(path, pattern)
    return pattern.handlers
  }

  #match(path: string): Match | undefined {
    const plain = this.#plain.get(path)
    if (plain) return { handlers: plain, params: {} }
    for (const { expression, handlers } of this.#patterns.values()) {
      const groups = expression.exec(path)?.groups
      if (groups) return { handlers, params: groups }
    }
    return undefined
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let call: Call
    try {
      call = new Call(request, response)
    } catch {
      response.writeHead(400, { 'content-type': 'text/plain' }).end('the address cannot be read\n')
      return
    }
    try {
      const answer = await this.#answer(call)
      if (answer) send(call, answer)
    } catch (error) {
      // The visitor who went away needs no answer; what is left is for whoever is still there.
      if (response.destroyed || response.headersSent) response.destroy()
      else send(call, this.#refuse(call, refusalOf(error)))
    }
  }

  async #answer(call: Call): Promise<Reply | undefined> {
    const match = this.#match(call.path)
    if (!match) throw new Refusal(404, `there is nothing at ${call.path}`)
    call.params = decode(match.params)
    const { handlers } = match
    const handler =
      handlers.get(call.method) ??
      (call.method === 'HEAD' ? handlers.get('GET') : undefined) ??
      handlers.get('any')
    if (handler) return handler(call)
    const allow = allowed(handlers)
    if (call.method === 'OPTIONS') return { status: 204, headers: { allow }, body: '' }
    throw new Refusal(405, `${call.method} is not possible here, but ${allow}`, { allow })
  }
}

function allowed(handlers: Map<string, Handler>): string {
  return [...handlers.keys(), 'OPTIONS']
    .flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
}

function decode(params: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
  } catch {
    throw new Refusal(400, 'the address has a percent sign that stands for nothing')
  }
}

function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal
    ? error
    : new Refusal(500, `the demo site failed: ${(error as Error).message}`)
}

function send(call: Call, answer: Reply): void {
  const bodiless = answer.status === 204 || answer.status === 304
  const length = bodiless ? {} : { 'content-length': Buffer.byteLength(answer.body) }
  call.response.writeHead(answer.status, { 'cache-control': 'no-cache', ...answer.headers, ...length })
  call.response.end(bodiless ? undefined : answer.body)
}
