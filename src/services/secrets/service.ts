import type { Catalog } from '../../storage/catalog/catalog.ts'
import type { Service } from '../service.ts'
import { Authorizations } from './authorizations.ts'
import { Credentials } from './credentials.ts'
import { CustomSecrets } from './custom-secrets.ts'
import { Keys } from './keys.ts'
import { NamedTexts } from './named-texts.ts'
import { QuerySecrets } from './query-secrets.ts'
import { Sessions } from './sessions.ts'
import { SignInLinks } from './sign-in-links.ts'
import type { TokenEndpoint } from './token-endpoint.ts'
import { Tokens } from './tokens.ts'
import { Users } from './users.ts'
import type { Vault } from './vault.ts'

export interface SecretsOptions {
  readonly catalog: Catalog
  readonly vault: Vault
  readonly tokenEndpoint: Pick<TokenEndpoint, 'ask'>
  /** How long a session lasts in which nothing is asked. */
  readonly sessionMinutes: number
}

/** secrets: keys, users and sessions; checkpoints and prompts; and all that is sealed with the master key. */
export class SecretsService implements Service {
  readonly name = 'secrets'
  readonly needs = []
  readonly keys: Keys
  readonly signInLinks: SignInLinks
  readonly users: Users
  readonly sessions: Sessions
  readonly checkpoints: NamedTexts
  readonly prompts: NamedTexts
  readonly custom: CustomSecrets
  readonly credentials: Credentials
  readonly tokens: Tokens
  readonly authorizations: Authorizations
  /** What queries get of all this. */
  readonly forQueries: QuerySecrets
  #total = 0

  constructor({ catalog, vault, tokenEndpoint, sessionMinutes }: SecretsOptions) {
    this.keys = new Keys(catalog)
    this.signInLinks = new SignInLinks(catalog)
    this.users = new Users(catalog)
    this.sessions = new Sessions(catalog, sessionMinutes)
    this.checkpoints = new NamedTexts(catalog, 'checkpoint')
    this.prompts = new NamedTexts(catalog, 'prompt')
    this.custom = new CustomSecrets(catalog, vault)
    this.credentials = new Credentials(catalog, vault)
    this.tokens = new Tokens(catalog, vault, tokenEndpoint)
    this.authorizations = new Authorizations(this.credentials, this.tokens)
    this.forQueries = new QuerySecrets(this, vault.keyFor('forage handles'))
  }

  async start(): Promise<void> {
    this.#total = (await this.keys.list({ offset: 0, limit: 1 })).total
  }

  async stop(): Promise<void> {}

  detail(): string {
    return `checks API keys (${this.#total} when it started)`
  }
}
