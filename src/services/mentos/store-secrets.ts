import type { StoreType } from '../../stores/store.ts'
import { masked, unmasked } from '../secrets/mask.ts'
import { secretPaths } from './store-schemas.ts'

type Values = Readonly<Record<string, unknown>>
export type Secrets = Readonly<Record<string, string>>

/** Credentials with the mask in place of each secret, and the secrets apart, by their paths. */
export function hideSecrets(kind: StoreType, credentials: Values): { shown: Values; secrets: Secrets } {
  const flat = secretsIn(kind, credentials)
  const { shown, secrets } = masked(flat, Object.keys(flat))
  return { shown: withValues(credentials, shown), secrets }
}

/** Credentials with each mask replaced by the secret that it stands for; one that stands for nothing is refused. */
export function openMasks(kind: StoreType, credentials: Values, kept: Secrets): Values {
  const flat = secretsIn(kind, credentials)
  const pathOf = (path: string) => `$.config.credentials.${path}`
  return withValues(credentials, unmasked(flat, Object.keys(flat), kept, pathOf))
}

/** Credentials as only deliveries get them. */
export const withSecrets = (shown: Values, secrets: Secrets): Values => withValues(shown, secrets)

/** The secrets that are there, by their paths; of a map of secrets each value. */
function secretsIn(kind: StoreType, credentials: Values): Record<string, string> {
  const found: Record<string, string> = {}
  for (const path of secretPaths(kind)) {
    const value = path.reduce<unknown>((at, name) => (at as Values | undefined)?.[name], credentials)
    if (typeof value === 'string') found[path.join('.')] = value
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value))
        found[[...path, encode(name)].join('.')] = String(item)
  }
  return found
}

/** The names in a map are the user's: a dot in one is no step of a path. */
const encode = (name: string): string => name.replaceAll('%', '%25').replaceAll('.', '%2E')

function withValues(credentials: Values, values: Values): Values {
  const changed = structuredClone(credentials) as Record<string, unknown>
  for (const [path, value] of Object.entries(values)) {
    const steps = path.split('.').map(step => step.replaceAll('%2E', '.').replaceAll('%25', '%'))
    const last = steps.pop()!
    const holder = steps.reduce<Record<string, unknown>>((at, step) => {
      at[step] ??= {}
      return at[step] as Record<string, unknown>
    }, changed)
    holder[last] = value
  }
  return changed
}
