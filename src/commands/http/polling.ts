import { setTimeout as sleep } from 'node:timers/promises'
import type { Expression } from '../../language/expression/tree.ts'
import type { Row } from '../../language/json.ts'
import { abortError } from '../../network/errors.ts'
import type { HttpContext } from './context.ts'

export interface PollingFlags {
  readonly while: Expression | undefined
  readonly 'while.delay': number
  readonly 'while.max': number
}

/** Asks, and asks again while the expression is true of what came. */
export async function polled<T>(
  flags: PollingFlags,
  context: HttpContext,
  ask: () => Promise<T>,
  firstRow: (answer: T) => Row,
): Promise<T> {
  const { while: expression, 'while.delay': delay, 'while.max': max } = flags
  for (let repeats = 0; ; repeats++) {
    const answer = await ask()
    if (!expression || !(await context.test(expression, firstRow(answer)))) return answer
    if (repeats >= max) {
      context.warn(
        'while_max',
        `--while was still true after asking again ${max} times, and the last answer was taken. Raise --while.max to wait longer.`,
      )
      return answer
    }
    await pause(delay * 1000, context.signal)
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {
    throw abortError(signal)
  })
}
