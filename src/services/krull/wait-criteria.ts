import { ForageError } from '../../errors.ts'
import { globExpression } from './globs.ts'

export type Visibility = 'present' | 'visible' | 'hidden'

/** One thing that a page waits for before it counts as loaded. */
export type WaitCriterion =
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'selector'; readonly selector: string; readonly visibility: Visibility }
  | { readonly kind: 'url'; readonly glob: RegExp; readonly text: string }
  | { readonly kind: 'response'; readonly glob: RegExp; readonly text: string }
  | { readonly kind: 'function'; readonly source: string }

export interface GivenWait {
  readonly wait?: string | number | readonly (string | number)[] | undefined
  readonly visible?: boolean | undefined
  readonly hidden?: boolean | undefined
  /** What `visible` and `hidden` speak of when `wait` has no selector. */
  readonly selector?: string | undefined
}

export function parseWait({ wait, visible, hidden, selector }: GivenWait): readonly WaitCriterion[] {
  if (visible === true && hidden === true) throw invalid('$.hidden', 'cannot be true together with visible')
  const visibility = visible === true ? 'visible' : hidden === true ? 'hidden' : 'present'
  const given = wait === undefined ? [] : typeof wait === 'object' ? wait : [wait]
  const criteria = given.map(one => criterionOf(one, visibility))
  if (visibility === 'present' || criteria.some(({ kind }) => kind === 'selector')) return criteria
  if (selector === undefined)
    throw invalid(`$.${visibility}`, 'needs a selector to speak of: in wait, or in selector')
  return [...criteria, { kind: 'selector', selector, visibility }]
}

function criterionOf(given: string | number, visibility: Visibility): WaitCriterion {
  if (typeof given === 'number') return { kind: 'time', ms: given }
  const prefixed = /^\s*(url|response):(.*)$/s.exec(given)
  if (prefixed) {
    const text = prefixed[2]!.trim()
    return { kind: prefixed[1] as 'url' | 'response', glob: globExpression(text), text }
  }
  return hasArrow(given)
    ? { kind: 'function', source: given }
    : { kind: 'selector', selector: given, visibility }
}

/** Whether `=>` stands in the text outside square brackets and quotes, where a selector may have it. */
function hasArrow(text: string): boolean {
  const bare = text
    .replaceAll(/\\./gs, '')
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
  return bare.includes('=>')
}

function invalid(path: string, message: string): ForageError {
  return new ForageError('invalid_request', `Not valid in the body: ${path} ${message}`, {
    errors: [{ path, message, in: 'body' }],
  })
}
