import type { Json } from '../../src/language/json.ts'
import type { Credential } from '../api/types.ts'
import { type FormObject, isFields } from '../forms/schema.ts'

/** What a credential is made of, taken apart: `{ credential: { name, hosts? }, credentials: { <type>: { … } } }`. */
export function readConfig({ type, config }: Credential): {
  readonly hosts: readonly string[]
  readonly fields: FormObject
} {
  const { credential, credentials } = config as Record<string, Json>
  const hosts = isFields(credential) && Array.isArray(credential.hosts) ? credential.hosts.map(String) : []
  const fields = isFields(credentials) ? credentials[type] : undefined
  return { hosts, fields: isFields(fields) ? fields : {} }
}

/** Whether it needs a person's yes. */
export const needsConsent = (credential: Credential): boolean =>
  credential.type === 'oauth' && readConfig(credential).fields.grantType === 'authorization_code'

/** Whether tokens are fetched with it. */
export const hasTokens = ({ type }: Credential): boolean => type === 'oauth' || type === 'gcp'
