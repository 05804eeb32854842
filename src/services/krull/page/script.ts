import { ForageError } from '../../../errors.ts'
import type { Session } from '../browser/connection.ts'
import { type LibraryName, librariesExpression } from '../libraries.ts'
import { type CallArgument, callInPage, objectInPage } from './evaluate.ts'

/** A JavaScript expression of the user's, and what it is called with when it gives a function. */
export interface Script {
  readonly expression: string
  readonly args: readonly unknown[]
  readonly libraries: readonly LibraryName[]
}

export interface ScriptLimits {
  /** The longest result, in characters of JSON. */
  readonly resultLength: number
}

/**
 * What a result becomes: JSON as the language makes it, and for what JSON cannot say a defined value. A node is its HTML,
 * a list of nodes or a set an array, a map an object, a big integer its digits, a symbol or function null.
 */
const toJson = `value => {
  const plain = value => {
    if (typeof value === 'bigint') return String(value)
    if (typeof value === 'symbol' || typeof value === 'function') return null
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Node) return value instanceof Element ? value.outerHTML : value.textContent
    if (value instanceof NodeList || value instanceof HTMLCollection || value instanceof Set) return Array.from(value)
    if (value instanceof Map) return Object.fromEntries(value)
    if (value instanceof Error) return { name: value.name, message: value.message }
    return value
  }
  return JSON.stringify(plain(value), (key, inner) => plain(inner)) ?? 'null'
}`

/** Text: an arrow function is told from others by its first characters; a method or class has a name there. */
const isArrow = `f => /^(async\\s*)?(\\(|[\\p{ID_Start}$_][\\p{ID_Continue}$]*\\s*=>)/u.test(Function.prototype.toString.call(f))`

/** The first letter of what it gives says what the rest is: a value, a length that is too much, no arrow function, or not JSON. */
const finish = (limit: number): string => `async (make, given) => {
  let value = await make()
  if (typeof value === 'function') {
    if (!(${isArrow})(value)) return 'f'
    value = await value(...given)
  }
  let text
  try { text = (${toJson})(value) } catch (error) { return 'c' + (error && error.message) }
  return text.length > ${limit} ? 'l' + text.length : 'v' + text
}`

/** The expression stands in a function where no name of ours is in sight: `text` is the page's own `text`. */
const wrapper = (expression: string, limit: number): string =>
  `function () { return ((make, end) => end(make, arguments))((function () { return async () => (
${expression}
) }).call(globalThis), ${finish(limit)}) }`

/** Runs it in the page's own world. `leading`: arguments before the user's, such as the elements of a selector. */
export async function runScript(
  session: Session,
  { expression, args, libraries }: Script,
  { resultLength }: ScriptLimits,
  leading: readonly CallArgument[] = [],
): Promise<unknown> {
  const last = libraries.length === 0 ? { value: {} } : { objectId: await librariesIn(session, libraries) }
  const passed = [...leading, ...args.map(value => ({ value })), last]
  const { value } = await callInPage(session, wrapper(expression, resultLength), passed)
  return readResult(String(value), resultLength)
}

async function librariesIn(session: Session, libraries: readonly LibraryName[]): Promise<string> {
  // With its runtime watched, V8 works out positions anew for every function: mathjs takes three times as long.
  if (libraries.includes('mathjs')) await session.send('Runtime.setMaxCallStackSizeToCapture', { size: 0 })
  return objectInPage(session, await librariesExpression(libraries))
}

function readResult(text: string, limit: number): unknown {
  const rest = text.slice(1)
  switch (text[0]) {
    case 'v':
      return JSON.parse(rest)
    case 'l':
      throw new ForageError('too_large', `The result has ${rest} characters; ${limit} are allowed.`)
    case 'f':
      throw new ForageError('script_failed', 'The expression gives a function that is no arrow function.', {
        errors: [{ path: '$.expression', message: 'must give a value or an arrow function: (a, b) => …' }],
      })
    default:
      throw new ForageError(
        'script_failed',
        `The result cannot be returned: ${reasonOf(rest)}. Return only what is needed of it.`,
      )
  }
}

const reasonOf = (message: string): string =>
  /circular/i.test(message)
    ? 'it refers to itself'
    : /string length|allocation/i.test(message)
      ? 'it is too large'
      : message.split('\n')[0]!.slice(0, 300)
