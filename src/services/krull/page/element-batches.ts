import { ForageError } from '../../../errors.ts'
import type { Session } from '../browser/connection.ts'
import {
  type ElementFields,
  type Engine,
  findElements,
  findExpression,
  type PageElement,
  parsedElements,
  rowReader,
  selecting,
} from './elements.ts'
import { callInPage } from './evaluate.ts'

/** What is read in one go: as much as keeps the cost of a call small beside that of its elements. */
const MOST_ELEMENTS = 500
const MOST_CHARACTERS = 1_000_000

/** Reads from an index on until enough is read; gives the index that it came to and the rows as JSON text. */
const readSome = `function (fields, from, limit) {
  const rowOf = (${rowReader})(fields)
  const end = Math.min(this.length, from + ${MOST_ELEMENTS})
  const texts = []
  let characters = 0
  let at = from
  while (at < end && characters < ${MOST_CHARACTERS}) {
    const text = JSON.stringify(rowOf(this[at++]))
    if (text.length > limit) return 'l' + text.length
    texts.push(text)
    characters += text.length
  }
  return at + ':' + '[' + texts.join(',') + ']'
}`

/** The same when that is all of them: most pages are read with this one call. Of others it only says that they are. */
const readFew = `function (fields, limit) {
  if (this.length > ${MOST_ELEMENTS}) return 'm'
  const text = (${readSome}).call(this, fields, 0, limit)
  return text[0] === 'l' || text.startsWith(this.length + ':') ? text : 'm'
}`

/**
 * The elements that a selector finds, some at a time. Those that were there at the beginning, whatever the page does
 * meanwhile; one that is longer than `limit` as JSON text is `too_large`.
 */
export async function* elementBatches(
  session: Session,
  selector: string,
  engine: Engine,
  fields: ElementFields,
  limit: number,
): AsyncGenerator<PageElement[], void, undefined> {
  const find = await findExpression(selector, engine)
  const few = await selecting(selector, () =>
    callInPage(session, `(...rest) => (${readFew}).apply(${find}, rest)`, [
      { value: fields },
      { value: limit },
    ]),
  )
  if (few.value !== 'm') return yield split(String(few.value), fields, limit).rows
  const found = { objectId: await findElements(session, selector, engine) }
  for (let from = 0; ; ) {
    const args = [found, { value: fields }, { value: from }, { value: limit }]
    const { value } = await callInPage(session, `(found, ...rest) => (${readSome}).apply(found, rest)`, args)
    const { next, rows } = split(String(value), fields, limit)
    if (rows.length === 0) return
    yield rows
    from = next
  }
}

function split(text: string, fields: ElementFields, limit: number): { next: number; rows: PageElement[] } {
  if (text[0] === 'l')
    throw new ForageError(
      'too_large',
      `An element takes ${text.slice(1)} characters; ${limit} are allowed. A narrower selector, or html: false, makes it less.`,
    )
  const colon = text.indexOf(':')
  return { next: Number(text.slice(0, colon)), rows: parsedElements(text.slice(colon + 1), fields) }
}
