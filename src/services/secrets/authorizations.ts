import { createHash, randomBytes } from 'node:crypto'
import { authorizationAddress } from '../../credentials/oauth.ts'
import { ForageError } from '../../errors.ts'
import type { Credentials, OpenCredential } from './credentials.ts'
import { isSameToken } from './sessions.ts'
import type { Tokens } from './tokens.ts'

interface Pending {
  readonly credential: string
  readonly verifier: string
  /** What the browser that began it holds in a cookie. */
  readonly binding: string
  readonly redirectUri: string
  readonly expiresAt: number
}

const lifetimeMs = 10 * 60_000
const mostPending = 1000

/**
 * People's yes to a credential with an authorization code: begun in a session, ended by the callback page in the same
 * browser, once. Kept in memory: whoever is in the middle of it when Forage stops begins again.
 */
export class Authorizations {
  readonly #credentials: Credentials
  readonly #tokens: Tokens
  readonly #pending = new Map<string, Pending>()

  constructor(credentials: Credentials, tokens: Tokens) {
    this.#credentials = credentials
    this.#tokens = tokens
  }

  /** Where to send the person, and what their browser has to show when it comes back. */
  async begin(
    name: string,
    redirectUri: string,
  ): Promise<{ readonly url: string; readonly binding: string }> {
    const credential = await this.#open(name)
    const [state, verifier, binding] = [random(), random(), random()]
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    this.#forgetOld()
    const expiresAt = Date.now() + lifetimeMs
    this.#pending.set(state, { credential: name, verifier, binding, redirectUri, expiresAt })
    return { url: authorizationAddress(credential.fields, { state, challenge, redirectUri }), binding }
  }

  /** Ends it: the code becomes a token. Gives the name of the credential. */
  async finish(state: string, binding: string, code: string): Promise<string> {
    const pending = this.#take(state, binding)
    const credential = await this.#open(pending.credential)
    await this.#tokens.exchange(credential, { ...pending, code })
    return pending.credential
  }

  /** The person said no, or the provider did: it cannot be used again. */
  abandon(state: string, binding: string): void {
    this.#take(state, binding)
  }

  #take(state: string, binding: string): Pending {
    const pending = this.#pending.get(state)
    if (pending === undefined || pending.expiresAt < Date.now() || !isSameToken(binding, pending.binding))
      throw new ForageError('forbidden', 'This page was not asked for from here, or was used already.')
    this.#pending.delete(state)
    return pending
  }

  async #open(name: string): Promise<OpenCredential> {
    const credential = await this.#credentials.open(name)
    if (credential === undefined) throw new ForageError('not_found', `There is no credential named ${name}.`)
    if (credential.type === 'oauth' && credential.fields.grantType === 'authorization_code') return credential
    throw new ForageError('wrong_state', `The credential ${name} is not of the grant authorization_code.`)
  }

  #forgetOld(): void {
    for (const [state, { expiresAt }] of this.#pending) {
      if (expiresAt < Date.now() || this.#pending.size >= mostPending) this.#pending.delete(state)
    }
  }
}

const random = (): string => randomBytes(32).toString('base64url')
