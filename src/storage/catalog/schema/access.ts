import type { JsonText, Time } from './values.ts'

/** Facts about the data folder itself, such as the fingerprint of its master key. */
export interface MetaTable {
  name: string
  value: string
}

export interface ApiKeyTable {
  id: string
  name: string
  /** The first characters of the key, by which its owner knows it again. */
  prefix: string
  /** SHA-256 of the key, in hexadecimal. */
  hash: string
  created_at: Time
  last_used_at: Time | null
}

export interface SignInLinkTable {
  hash: string
  expires_at: Time
}

export interface UserTable {
  username: string
  password_hash: string
  created_at: Time
  updated_at: Time
}

export interface SessionTable {
  /** SHA-256 of the cookie's token. */
  hash: string
  /** Null after signing in by a link, before there is a user. */
  username: string | null
  created_at: Time
  seen_at: Time
}

export interface LicenseTable {
  id: string
  /** The license file as it came. */
  text: string
  added_at: Time
}

export interface IdempotencyTable {
  /** Whose key it is: two clients may choose the same one. */
  scope: string
  key: string
  /** SHA-256 of method, route and body: the same key with another request is a conflict. */
  request: string
  /** Null while the first request is still running. */
  status: number | null
  headers: JsonText | null
  body: string | null
  created_at: Time
  expires_at: Time
}
