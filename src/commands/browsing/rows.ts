import type { Json, Row } from '../../language/json.ts'
import type { PageAnswer } from './browser.ts'

type Added = Pick<PageAnswer, 'screenshot' | 'cookieStorage' | 'localStorage' | 'sessionStorage'>

/** What `--screenshot` and `--session` add to each row of a page. */
export function addedColumns({ screenshot, cookieStorage, localStorage, sessionStorage }: Added): Row {
  return {
    ...(screenshot && { _screenshot: screenshot.hash }),
    ...(cookieStorage && { cookieStorage }),
    ...(localStorage && { localStorage }),
    ...(sessionStorage && { sessionStorage }),
  }
}

/** What an expression gave: an array is rows, an object a row, anything else the column `result`. */
export const resultRows = (result: Json): Row[] =>
  Array.isArray(result) ? result.map(rowOf) : [rowOf(result)]

const rowOf = (value: Json): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : { result: value }
