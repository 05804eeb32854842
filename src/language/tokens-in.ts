import type { Stage } from './plan.ts'
import type { Token } from './values.ts'

/** Every token in what stages were given, in the order in which it was written. */
export function tokensIn(stages: readonly Stage[]): Token[] {
  return stages
    .flatMap(({ args, flags }) => [...tokensWithin([args, flags])])
    .sort((one, other) => one.span.offset - other.span.offset)
}

/** Every token in arguments, flags or any part of them. Not by recursion: `a and b and …` may be long. */
export function* tokensWithin(value: unknown): Generator<Token> {
  const rest = [value]
  while (rest.length > 0) {
    const part = rest.pop()
    if (typeof part !== 'object' || part === null) continue
    if ('source' in part && 'span' in part && 'path' in part) yield part as Token
    // The user's own JSON may look like anything.
    else if (!('kind' in part && part.kind === 'constant'))
      for (const inner of Object.values(part).reverse()) rest.push(inner)
  }
}
