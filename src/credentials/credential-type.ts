import type { ErrorItem } from '../errors.ts'

export const credentialTypeNames = [
  'oauth',
  'custom',
  'aws4',
  'splunk',
  'openai',
  'pinecone',
  'okta',
  'gcp',
] as const
export type CredentialTypeName = (typeof credentialTypeNames)[number]

/** One field of a credential. Validation, the schema for forms, the mask and docs/secrets.md come from it. */
export interface CredentialField {
  readonly name: string
  readonly help: string
  readonly required?: true
  /** Sealed in the vault, and never answered. */
  readonly secret?: true
  readonly choices?: readonly string[]
  readonly default?: string
  /** An http or https address. */
  readonly url?: true
}

/** The fields as they were given, the secret ones opened. */
export type CredentialFields = Readonly<Record<string, string | undefined>>

/** A request as it is about to leave. */
export interface Outgoing {
  readonly method: string
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Uint8Array | string | undefined
}

/** How a token is asked for: a form to an address. */
export interface TokenRequest {
  readonly url: string
  readonly form: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

export interface CredentialType {
  readonly type: CredentialTypeName
  readonly title: string
  readonly help: string
  readonly fields: readonly CredentialField[]
  /** What is wrong with fields that are each right by themselves. */
  readonly check?: (fields: CredentialFields) => readonly ErrorItem[]
  /** The field that `$CREDENTIALS.name$` stands for. Types with a token have none: it stands for the token. */
  readonly value?: string
  /** How a token is fetched, for the types that need one. Undefined: only a person can (the authorization code). */
  readonly tokenRequest?: (
    fields: CredentialFields,
    refreshToken: string | undefined,
  ) => TokenRequest | undefined
  /** The headers that prove who asks. `secret` is the value or the token, for types that have either. */
  readonly authorize: (request: Outgoing, fields: CredentialFields, secret: string) => Record<string, string>
}

/** Where a field stands in a credential. */
export const fieldPath = (type: CredentialTypeName, field: string): string =>
  `$.config.credentials.${type}.${field}`

export const missingField = (type: CredentialTypeName, field: string, why: string): ErrorItem => ({
  path: fieldPath(type, field),
  message: `is required ${why}`,
})
