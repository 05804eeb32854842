/** Keys, checkpoints, credentials, prompts, stores, users, secrets (api.md, secrets). Secret fields are masked. */
import Type from 'typebox'
import { credentialTypeNames } from '../../credentials/credential-type.ts'
import { allOf, Count, FreeObject, fields, listOf, nullable, record, Time, Uuid } from '../fields.ts'
import { storeTypes } from '../store-types.ts'

const apiKeyFields = {
  id: Uuid,
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters, by which a key is known again' }),
  createdAt: Time,
  lastUsedAt: nullable(Time),
}
export const ApiKeyRecord = record('ApiKey', apiKeyFields)
export const ApiKeyList = listOf('ApiKeyList', ApiKeyRecord)

export const NewApiKey = record('NewApiKey', {
  ...apiKeyFields,
  key: Type.Optional(
    Type.String({ description: 'The key itself: shown this once, and not when the answer is repeated' }),
  ),
})

/** The answer of both verifications: of a key and of a user. */
export const Validity = record('Validity', { valid: Type.Boolean() })

export const Checkpoint = record('Checkpoint', {
  name: Type.String({ minLength: 1, maxLength: 1000 }),
  checkpoint: Type.String({ minLength: 1, maxLength: 10_000 }),
  createdAt: Time,
  updatedAt: Time,
})
export const CheckpointList = listOf('CheckpointList', Checkpoint)

export const CredentialRecord = record('Credential', {
  name: Type.String(),
  type: Type.Enum([...credentialTypeNames]),
  config: FreeObject,
  version: Type.String({ description: 'Another after every change' }),
  createdAt: Time,
  updatedAt: Time,
})
export const CredentialList = listOf('CredentialList', CredentialRecord)

/** What a form needs to ask for a credential or a store. */
export const TypeSchema = record('TypeSchema', {
  type: Type.String(),
  title: Type.String(),
  schema: FreeObject,
  secrets: Type.Array(Type.String({ description: 'Paths of the fields that are masked' })),
})
export const TypeSchemas = allOf('TypeSchemas', TypeSchema)

export const OauthMapping = record('OauthMapping', {
  provider: Type.String({ description: 'What `provider` of an oauth credential takes' }),
  title: Type.String(),
  authorizationUrl: nullable(Type.String()),
  tokenUrl: Type.String(),
  scopes: Type.Array(Type.String(), {
    description: 'Often asked for; the first is taken when a credential names none',
  }),
  grantTypes: Type.Array(Type.String()),
  authentication: Type.Enum(['body', 'basic']),
})
export const OauthMappingList = listOf('OauthMappingList', OauthMapping)

/** That a credential has a token, and how long it holds; the token itself is answered to nobody. */
export const OauthToken = record('OauthToken', {
  credential: Type.String(),
  obtainedAt: Time,
  expiresAt: nullable(Type.String({ format: 'date-time', description: 'Null when the server did not say' })),
})
export const OauthTokenList = listOf('OauthTokenList', OauthToken)

export const Prompt = record('Prompt', {
  name: Type.String({ minLength: 1, maxLength: 1000 }),
  prompt: Type.String({ minLength: 1, maxLength: 10_000 }),
  createdAt: Time,
  updatedAt: Time,
})
export const PromptList = listOf('PromptList', Prompt)

export const StoreRecord = record('Store', {
  name: Type.String(),
  type: Type.Enum([...storeTypes]),
  config: FreeObject,
  deliveries: Count,
  rows: Count,
  bytes: Count,
  refused: Count,
  lastSuccessAt: nullable(Time),
  lastError: nullable(fields({ at: Time, message: Type.String() })),
  createdAt: Time,
  updatedAt: Time,
})
export const StoreList = listOf('StoreList', StoreRecord)

/** Whether a store answers, and what is wrong when it does not. */
export const StoreTest = record('StoreTest', {
  ok: Type.Boolean(),
  code: nullable(Type.String()),
  message: nullable(Type.String()),
})

export const UserRecord = record('User', { username: Type.String(), createdAt: Time, updatedAt: Time })
export const UserList = listOf('UserList', UserRecord)

export const secretTypes = [
  'store',
  'credential',
  'custom',
  'apikey',
  'user',
  'checkpoint',
  'prompt',
] as const

/** The value of a secret is never answered. */
export const SecretRecord = record('Secret', {
  name: Type.String({ minLength: 1, maxLength: 250 }),
  type: Type.Enum([...secretTypes]),
  providerType: nullable(Type.String()),
  metadata: nullable(FreeObject),
  createdAt: Time,
  updatedAt: Time,
})
export const SecretList = listOf('SecretList', SecretRecord)

/** Who is signed in, for the web application. */
export const SessionRecord = record('Session', {
  username: nullable(Type.String({ description: 'Null after signing in by a link, before there is a user' })),
  csrfToken: Type.String({
    description: 'To be sent as X-CSRF-Token with every request that changes something',
  }),
  expiresAt: Time,
  hasUsers: Type.Boolean(),
})
