import type { Json } from '../../language/json.ts'
import { applyLifted, type LiftedColumn, type LiftedFunctions } from '../../sql/lift.ts'
import type { Mapper } from '../mapper.ts'
import { readableText } from '../markup/readable.ts'
import { parseMarkup } from '../markup/tree.ts'

/** The functions of expressions that SQL has no words for. The list is short, since each costs a pass over all rows. */
export const LIFTED: LiftedFunctions = {
  absurl: ([url, base]) => absoluteUrl(url, base),
  htmltext: ([html]) => (typeof html === 'string' ? readableText(parseMarkup(html)) : null),
}

function absoluteUrl(url: Json | undefined, base: Json | undefined): Json {
  if (typeof url !== 'string') return null
  const full = typeof base === 'string' ? URL.parse(url, base) : URL.parse(url)
  return full?.href ?? null
}

/** Computes the functions of an expression that SQL cannot, each in the column that holds its arguments. */
export const map: Mapper = options => {
  const columns = options as unknown as readonly LiftedColumn[] // as `prepared` sends them: plain JSON
  return row => applyLifted(row, columns, LIFTED)
}
