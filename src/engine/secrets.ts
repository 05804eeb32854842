import type { CredentialView } from '../commands/command.ts'
import type { Headers } from '../network/redirect.ts'

/**
 * Secrets in queries are handles: texts that stand for a secret, say nothing of it and cannot be made up. They go through
 * values, records and tables like any other text, and become the secret only in a parameter of a command that sends it.
 * All their characters survive a URL, a JSON text and a header.
 */
export const HANDLE = /forage\.[cs]\.[\w-]+\.[\w-]+\.[puj]\.[\w-]{22}/g

/** What every handle begins with: a quick way to see that a text has none. */
export const HANDLE_START = 'forage.'

/** How the secret is written in the place of its handle: as it is, percent-encoded, or inside a JSON text. */
export type HandleFormat = 'p' | 'u' | 'j'

export interface OpenedSecret {
  /** `$SECRETS.name$`: how the user knows it. */
  readonly token: string
  readonly value: string
  readonly format: HandleFormat
  /** Whether it may be sent there. */
  allows(hostname: string): boolean
}

export interface OutgoingRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Headers>
  readonly body: string | Uint8Array | undefined
}

export interface Authorization {
  readonly headers: Readonly<Record<string, string>>
  /** Texts in them, or that they were made from, that nobody else may see. */
  readonly secrets: readonly string[]
}

/** Where the engine gets secrets from. */
export interface SecretAccess {
  /** Undefined when nobody here made the handle, or what it stands for is gone. */
  open(handle: string): Promise<OpenedSecret | undefined>
  credential(name: string): Promise<CredentialView>
  /** The headers that a credential adds to a request. `type` undefined: whatever it is. */
  authorize(name: string, type: string | undefined, request: OutgoingRequest): Promise<Authorization>
}
