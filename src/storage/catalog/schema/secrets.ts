import type { JsonText, Time } from './values.ts'

/** Everything that is sealed with the master key. */
export interface VaultTable {
  /** What it is a secret of, and whose: both are bound to the sealed text. */
  type: string
  name: string
  /** Which of the master keys that there have been. */
  key_version: number
  /** Nonce, ciphertext and tag, in base64. */
  sealed: string
}

export interface CredentialTable {
  name: string
  type: string
  /** As it is shown: secret fields hold the mask. Their values are in the vault. */
  config: JsonText
  /** Another with every change: stands in cache keys for the secrets. */
  version: string
  created_at: Time
  updated_at: Time
}

/** What is known of the token in the vault. */
export interface OauthTokenTable {
  credential: string
  /** The version of the credential that it was fetched with. */
  version: string
  obtained_at: Time
  expires_at: Time | null
}

export interface SecretTable {
  type: string
  name: string
  provider_type: string | null
  metadata: JsonText | null
  version: string
  created_at: Time
  updated_at: Time
}

/** Checkpoints and prompts. */
export interface NamedTextTable {
  kind: 'checkpoint' | 'prompt'
  name: string
  value: string
  created_at: Time
  updated_at: Time
}
