import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { ServiceName } from '../services/service.ts'
import type { Request as Claimed } from '../storage/idempotency.ts'

export type App = FastifyInstance

/** Who asks: the holder of an API key, or a person that is signed in. */
interface Caller {
  readonly kind: 'key' | 'user'
  readonly id: string
  readonly name: string
}

/** Finds out who asks by one means (a key, a cookie). Undefined: this means was not used, or did not hold. */
export type Authenticator = (request: FastifyRequest) => Promise<Caller | undefined>

/** What the route helper has to know of the server that it registers with. */
interface HttpContext {
  readonly bodyLimit: number
  readonly isRunning: (service: ServiceName) => boolean
  /** Where services add their figures. */
  readonly metrics: Registry
}

declare module 'fastify' {
  interface FastifyInstance {
    http: HttpContext
    /** Answers with the page of the web application. */
    sendPage(reply: FastifyReply): Promise<FastifyReply>
  }
  interface FastifyRequest {
    /** Null on the routes that are open to everybody. */
    caller: Caller | null
    /** SHA-256 of the body as it came; only when an `Idempotency-Key` came with it. */
    bodyDigest: string | null
    /** The claim of its `Idempotency-Key`, while it is the first to use it. */
    claim: Claimed | null
  }
  interface FastifyContextConfig {
    /** Needs no key. */
    open?: boolean
    /** Fields of the answer that are not kept for a repetition. */
    secretFields?: readonly string[]
  }
}
