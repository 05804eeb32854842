import type { Json } from '../../language/json.ts'
import { CommandFailure } from '../failure.ts'

/** `css=value`, or `["css", "value"]`. */
export function fillOf(given: Json): readonly [selector: string, value: string] {
  if (Array.isArray(given)) {
    const [selector, value] = given
    if (given.length === 2 && typeof selector === 'string' && value !== null && typeof value !== 'object')
      return [selector, String(value)]
  } else if (typeof given === 'string') {
    const at = separator(given)
    if (at > 0) return [given.slice(0, at).trim(), given.slice(at + 1)]
  }
  // Not with the text: it may be a password.
  throw new CommandFailure(
    'bad_value',
    '--fill takes a selector and a value: `css=value`, or `["css", "value"]`.',
  )
}

/**
 * The first `=` outside brackets and quotes. A selector has none there, so this is where it ends, whatever the value
 * holds: one that a token put in may have any characters.
 */
function separator(text: string): number {
  let quote = ''
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!
    if (character === '\\') index++
    else if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '[' || character === '(') depth++
    else if (character === ']' || character === ')') depth--
    else if (character === '=' && depth <= 0) return index
  }
  return -1
}
