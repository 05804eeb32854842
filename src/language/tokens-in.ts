import type { Stage } from './plan.ts'
import type { Token } from './values.ts'

/** Every token in what stages were given, in the order in which it was written. */
export function tokensIn(stages: readonly Stage[]): Token[] {
  return stages
    .flatMap(({ args, flags }) => [...tokensWithin([args, flags])])
    .sort((one, other) => one.span.offset - other.span.offset)
}

/** Every token in arguments, flags or any part of them. */
export function* tokensWithin(value: unknown): Generator<Token> {
  if (typeof value !== 'object' || value === null) return
  if ('source' in value && 'span' in value && 'path' in value) {
    yield value as Token
    return
  }
  // The user's own JSON, which may look like anything.
  if ('kind' in value && value.kind === 'constant') return
  for (const part of Object.values(value)) yield* tokensWithin(part)
}
