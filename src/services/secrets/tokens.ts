import { CommandFailure } from '../../commands/failure.ts'
import type { TokenRequest } from '../../credentials/credential-type.ts'
import { codeRequest } from '../../credentials/oauth.ts'
import { credentialTypes } from '../../credentials/types.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import { type OpenCredential, tokenPlace } from './credentials.ts'
import type { Token, TokenEndpoint } from './token-endpoint.ts'
import type { Vault } from './vault.ts'

export interface HeldToken {
  readonly accessToken: string
  readonly tokenType: string
  readonly scope: string | undefined
  /** Null: the server did not say. */
  readonly expiresAt: string | null
}

interface KeptToken {
  readonly credential: string
  readonly obtainedAt: string
  readonly expiresAt: string | null
}

type Sealed = Omit<HeldToken, 'expiresAt'> & { readonly refreshToken: string | undefined }
type Held = Sealed & { readonly expiresAt: string | null; readonly renewAt: number }

/** Renewed this long before the end, or a tenth of its life where that is shorter. */
const earlyMs = 60_000

/** Access tokens of credentials: fetched when they are asked for, sealed in the vault, renewed before they end. */
export class Tokens {
  readonly #catalog: Catalog
  readonly #vault: Vault
  readonly #endpoint: Pick<TokenEndpoint, 'ask'>
  /** However many rows ask at once, one request is made. */
  readonly #running = new Map<string, Promise<HeldToken>>()

  constructor(catalog: Catalog, vault: Vault, endpoint: Pick<TokenEndpoint, 'ask'>) {
    this.#catalog = catalog
    this.#vault = vault
    this.#endpoint = endpoint
  }

  async current(credential: OpenCredential): Promise<HeldToken> {
    const key = `${credential.version} ${credential.name}`
    const running = this.#running.get(key)
    if (running) return running
    const found = this.#findOrFetch(credential).finally(() => this.#running.delete(key))
    this.#running.set(key, found)
    return found
  }

  /** Exchanges the code of a person's yes; the token is kept from then on. */
  async exchange(
    credential: OpenCredential,
    answer: { readonly code: string; readonly verifier: string; readonly redirectUri: string },
  ): Promise<void> {
    await this.#keep(credential, await this.#endpoint.ask(codeRequest(credential.fields, answer)), undefined)
  }

  /** Which credentials have a token, since when and until when. Never the tokens themselves. */
  list(page: PageRequest): Promise<Page<KeptToken>> {
    const all = this.#catalog.db
      .selectFrom('oauth_tokens')
      .innerJoin('credentials', join =>
        join
          .onRef('credentials.name', '=', 'oauth_tokens.credential')
          .onRef('credentials.version', '=', 'oauth_tokens.version'),
      )
      .select(['credential', 'obtained_at', 'expires_at'])
    return listPage(all.orderBy('credential'), page, row => ({
      credential: row.credential,
      obtainedAt: row.obtained_at,
      expiresAt: row.expires_at,
    }))
  }

  async #findOrFetch(credential: OpenCredential): Promise<HeldToken> {
    const held = await this.#held(credential)
    if (held && Date.now() < held.renewAt) return held
    const { tokenRequest } = credentialTypes[credential.type]
    const fresh = tokenRequest?.(credential.fields, undefined)
    const token = await this.#ask(held && tokenRequest?.(credential.fields, held.refreshToken), fresh)
    if (token === undefined) {
      // Nothing can be done without a person, but it may still be good for some seconds.
      if (held && (held.expiresAt === null || Date.parse(held.expiresAt) > Date.now())) return held
      throw notConnected(credential.name)
    }
    return this.#keep(credential, token, held?.refreshToken)
  }

  /** By the refresh token if there is one; where that is refused, from the beginning if the grant can. */
  async #ask(renewal: TokenRequest | undefined, fresh: TokenRequest | undefined): Promise<Token | undefined> {
    if (renewal === undefined) return fresh && this.#endpoint.ask(fresh)
    try {
      return await this.#endpoint.ask(renewal)
    } catch (error) {
      if (fresh === undefined || !(error instanceof CommandFailure)) throw error
      return this.#endpoint.ask(fresh)
    }
  }

  async #held({ name, version }: OpenCredential): Promise<Held | undefined> {
    return this.#catalog.transaction(async db => {
      const row = await db
        .selectFrom('oauth_tokens')
        .selectAll()
        .where('credential', '=', name)
        .where('version', '=', version)
        .executeTakeFirst()
      const sealed = row && (await this.#vault.get(tokenPlace(name), db))
      if (row === undefined || sealed === undefined) return undefined
      const renewAt = renewalTime(Date.parse(row.obtained_at), row.expires_at)
      return { ...(JSON.parse(sealed) as Sealed), expiresAt: row.expires_at, renewAt }
    })
  }

  async #keep(
    { name, version }: OpenCredential,
    { lifetime, ...token }: Token,
    oldRefreshToken: string | undefined,
  ): Promise<HeldToken> {
    const now = Date.now()
    const expires_at = lifetime === undefined ? null : new Date(now + lifetime * 1000).toISOString()
    const row = { version, obtained_at: new Date(now).toISOString(), expires_at }
    // A server that gives no new refresh token means the old one to be used again.
    const sealed = { ...token, refreshToken: token.refreshToken ?? oldRefreshToken }
    await this.#catalog.transaction(async db => {
      // Changed or deleted while the token was on its way: then it is of no use to anybody else.
      const present = await db
        .selectFrom('credentials')
        .select('version')
        .where('name', '=', name)
        .executeTakeFirst()
      if (present?.version !== version) return
      await db
        .insertInto('oauth_tokens')
        .values({ credential: name, ...row })
        .onConflict(conflict => conflict.column('credential').doUpdateSet(row))
        .execute()
      await this.#vault.put(tokenPlace(name), JSON.stringify(sealed), db)
    })
    const { accessToken, tokenType, scope } = token
    return { accessToken, tokenType, scope, expiresAt: expires_at }
  }
}

function renewalTime(obtainedAt: number, expiresAt: string | null): number {
  if (expiresAt === null) return Number.POSITIVE_INFINITY
  const end = Date.parse(expiresAt)
  return end - Math.min(earlyMs, (end - obtainedAt) / 10)
}

const notConnected = (name: string) =>
  new CommandFailure(
    'not_connected',
    `The credential ${name} has no token: nobody has said yes for it yet.`,
    {
      hint: 'Connect it in the web application, under credentials.',
    },
  )
