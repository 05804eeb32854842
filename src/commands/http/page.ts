import type { Json } from '../../language/json.ts'
import type { WholeResponse } from '../../network/whole-response.ts'
import type { Content } from './serializers/content.ts'

/** What is asked for: the parts of a request that change from page to page. */
export interface Ask {
  readonly url: URL
  readonly data: Json | undefined
  readonly form: Json | undefined
  /** The address came in an answer and is of another host: it gets no header and no body of the user's. */
  readonly foreign: boolean
}

export interface Page {
  readonly content: Content
  readonly response: WholeResponse
  /** Requests that it took. */
  readonly attempts: number
}

const DEEPEST = 3

/** The lists of an answer, wherever they are: at the top, or a few objects down. */
function listsIn(value: Json, depth = 0): (readonly Json[])[] {
  if (Array.isArray(value)) return [value]
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return []
  return Object.values(value).flatMap(item => listsIn(item, depth + 1))
}

/** The items of a page: the rows of a list, or the longest list of an object. */
export function itemCount({ rows, document }: Content): number {
  const lists = listsIn(document)
  return lists.length === 0 ? rows.length : lists.reduce((most, list) => Math.max(most, list.length), 0)
}
