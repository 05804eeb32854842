import { hash } from 'node:crypto'
import type { Static } from 'typebox'
import { ForageError } from '../../../errors.ts'
import type { Session } from '../browser/connection.ts'
import { librariesExpression } from '../libraries.ts'
import type { PageElement as PageElementRecord } from '../records.ts'
import { callInPage, objectInPage } from './evaluate.ts'

export type Engine = 'dom' | 'jquery'

export interface ElementFields {
  readonly html: boolean
  readonly hashtml: boolean
  readonly dimension: boolean
}

/** One element as the page's script sees it; which of the optional fields it has depends on what was asked for. */
export type PageElement = Static<typeof PageElementRecord>

/** The expression for an array of the elements that a selector finds. jQuery knows selectors that CSS does not. */
export async function findExpression(selector: string, engine: Engine): Promise<string> {
  const text = JSON.stringify(selector)
  return engine === 'jquery'
    ? `${await librariesExpression(['$'])}.$(${text}).toArray()`
    : `Array.from(document.querySelectorAll(${text}))`
}

/** The elements that a selector finds, as an array that stays in the page. */
export async function findElements(session: Session, selector: string, engine: Engine): Promise<string> {
  const find = await findExpression(selector, engine)
  return selecting(selector, () => objectInPage(session, find))
}

export async function selecting<T>(selector: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ForageError && /valid selector|unrecognized expression/i.test(error.message))
      throw badSelector(selector)
    throw error
  }
}

const badSelector = (selector: string): ForageError => {
  const message = `is not a selector: ${selector.slice(0, 200)}`
  return new ForageError('invalid_request', `Not valid in the body: $.selector ${message}`, {
    errors: [{ path: '$.selector', message, in: 'body' }],
  })
}

/** What was asked for of one element. Scroll offsets are read once, not for each: that forces a layout every time. */
export const rowReader = `fields => {
  const attributesOf = element => { const all = {}; for (const name of element.getAttributeNames()) all[name] = element.getAttribute(name); return all }
  const { scrollX, scrollY } = window
  return element => {
    const parent = element.parentElement
    const row = {
      nodeName: element.nodeName,
      attributes: attributesOf(element),
      innerText: element.innerText ?? element.textContent ?? '',
      parentElement: parent && { nodeName: parent.nodeName, attributes: attributesOf(parent) },
    }
    if (fields.html || fields.hashtml) { row.innerHTML = element.innerHTML; row.outerHTML = element.outerHTML }
    if (fields.dimension) {
      const { x, y, width, height, top, right, bottom, left } = element.getBoundingClientRect()
      row.dimension = { x: x + scrollX, y: y + scrollY, width, height, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY, left: left + scrollX }
    }
    return row
  }
}`

/** Reads all in one go, as JSON text: a third faster than objects by value. */
const read = `function (fields, limit) {
  const text = JSON.stringify(this.map((${rowReader})(fields)))
  return text.length > limit ? 'l' + text.length : 'v' + text
}`

/** What was asked for of each element that the selector finds. */
export async function readElements(
  session: Session,
  selector: string,
  engine: Engine,
  fields: ElementFields,
  limit: number,
): Promise<PageElement[]> {
  const find = await findExpression(selector, engine)
  const { value } = await selecting(selector, () =>
    callInPage(session, `(...rest) => (${read}).apply(${find}, rest)`, [{ value: fields }, { value: limit }]),
  )
  const text = String(value)
  if (text[0] === 'l')
    throw new ForageError(
      'too_large',
      `The elements take ${text.slice(1)} characters; ${limit} are allowed. A narrower selector, or html: false, makes it less.`,
    )
  return parsedElements(text.slice(1), fields)
}

/** The rows of that text, with their hashes where those are wanted. */
export function parsedElements(text: string, fields: ElementFields): PageElement[] {
  const rows = JSON.parse(text) as PageElement[]
  return fields.hashtml ? rows.map(row => hashed(row, fields.html)) : rows
}

/** Hashed here: a page could only do it where it is secure, and thirty times slower. */
function hashed({ innerHTML = '', outerHTML = '', ...row }: PageElement, keepHtml: boolean): PageElement {
  return {
    ...row,
    ...(keepHtml && { innerHTML, outerHTML }),
    innerHTMLHash: hash('sha256', innerHTML),
    outerHTMLHash: hash('sha256', outerHTML),
  }
}
