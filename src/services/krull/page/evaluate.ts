import type { Protocol } from 'puppeteer-core'
import { ForageError } from '../../../errors.ts'
import { ProtocolError, type Session } from '../browser/connection.ts'

export type CallArgument = Protocol.Runtime.CallArgument

/** The page went elsewhere while something ran in it. */
export class PageLeft extends Error {
  override readonly name = 'PageLeft'
}

const left =
  /context was destroyed|navigated or closed|Cannot find context|Could not find object|default execution context|Cannot find .*execution context/i

/**
 * Calls a function in the page's own world and gives what it returns, by value. One round trip: without handles the
 * arguments go with the text, with handles the first of them says where the function runs.
 */
export async function callInPage(
  session: Session,
  functionText: string,
  args: readonly CallArgument[] = [],
): Promise<Protocol.Runtime.RemoteObject> {
  const options = { awaitPromise: true, returnByValue: true, userGesture: true }
  const handle = args.find(({ objectId }) => objectId !== undefined)?.objectId
  return guarded(async () => {
    const { result, exceptionDetails } =
      handle === undefined
        ? await session.send('Runtime.evaluate', { expression: callText(functionText, args), ...options })
        : await session.send('Runtime.callFunctionOn', {
            functionDeclaration: functionText,
            objectId: handle,
            arguments: [...args],
            ...options,
          })
    if (exceptionDetails) throw scriptFailed(exceptionDetails)
    return result
  })
}

function callText(functionText: string, args: readonly CallArgument[]): string {
  if (args.length === 0) return `(${functionText})()`
  // Not as a literal: there the key __proto__ would mean something else.
  const values = JSON.stringify(args.map(({ value }) => value ?? null))
  return `(${functionText})(...JSON.parse(${JSON.stringify(values)}))`
}

/** The value of an expression of ours as an object that stays in the page. */
export async function objectInPage(session: Session, expression: string): Promise<string> {
  return guarded(async () => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression })
    if (exceptionDetails) throw scriptFailed(exceptionDetails)
    return result.objectId!
  })
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    if (left.test(error.message)) throw new PageLeft(error.message)
    if (/too large/.test(error.message)) throw new ForageError('too_large', error.message)
    // The browser gives up on a promise that nothing can settle any more, as nothing refers to it.
    if (/Promise was collected/.test(error.message))
      throw new ForageError('timeout', 'Phase run: the promise that the expression gave can never settle.')
    throw new ForageError('script_failed', `The browser refused the script: ${error.message}`)
  }
}

/** Lines of ours before the expression's own. */
const LINES_BEFORE = 1

function scriptFailed({
  exception,
  text,
  lineNumber,
  columnNumber,
}: Protocol.Runtime.ExceptionDetails): ForageError {
  const thrown =
    exception?.description ?? (exception && 'value' in exception ? String(exception.value) : text)
  const message = thrown
    .split('\n')
    .filter(line => !/^\s+at /.test(line))
    .join('\n')
    .slice(0, 2000)
  // Of a promise that was rejected the browser counts from 1, of a script that does not compile from 0.
  const from = /in promise/.test(text) ? 1 : 0
  const line = lineNumber - from - LINES_BEFORE + 1
  const place = line > 0 && { line, column: columnNumber - from + 1 }
  return new ForageError('script_failed', `The expression failed: ${message}`, {
    errors: [{ path: '$.expression', message, ...place }],
  })
}
