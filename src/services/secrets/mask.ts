import { type ErrorItem, ForageError } from '../../errors.ts'

/** Stands for every secret value in an answer. Sent back in an update it keeps the value. */
export const MASK = '********'

type Values = Readonly<Record<string, unknown>>

/** The values with the mask in place of each secret that is set, and the secrets apart. */
export function masked(values: Values, secretNames: readonly string[]) {
  const secrets = Object.fromEntries(
    secretNames.filter(name => values[name] !== undefined).map(name => [name, values[name] as string]),
  )
  const hidden = Object.fromEntries(Object.keys(secrets).map(name => [name, MASK]))
  return { shown: { ...values, ...hidden }, secrets }
}

/** The values with each mask replaced by the secret that it stands for; one that stands for nothing is refused. */
export function unmasked(
  values: Values,
  secretNames: readonly string[],
  kept: Readonly<Record<string, string>>,
  pathOf: (name: string) => string,
): Values {
  const errors: ErrorItem[] = []
  const opened: Record<string, unknown> = { ...values }
  for (const name of secretNames) {
    if (values[name] !== MASK) continue
    if (kept[name] === undefined)
      errors.push({
        path: pathOf(name),
        message: 'is the mask, and there is no value yet that it stands for',
      })
    else opened[name] = kept[name]
  }
  if (errors.length > 0) throw invalidBody(errors)
  return opened
}

export const invalidBody = (errors: readonly ErrorItem[]): ForageError =>
  new ForageError('invalid_request', `Not valid in the body: ${errors[0]!.path} ${errors[0]!.message}`, {
    errors: errors.map(item => ({ ...item, in: 'body' })),
  })
