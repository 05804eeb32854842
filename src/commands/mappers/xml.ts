import type { Json } from '../../language/json.ts'
import { setKey } from '../../language/lenient-json.ts'
import type { Mapper } from '../mapper.ts'
import { parsedText } from './parsed-text.ts'
import { decode, isName, MalformedXml, readTag, type Tag } from './xml-tokens.ts'

export { MalformedXml } from './xml-tokens.ts'

/** Deeper than any document of use, and shallow enough for every reader of the JSON it becomes. */
const DEEPEST = 256

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

/** An element that is still open. */
interface Open {
  readonly name: string
  readonly attributes: Tag['attributes']
  readonly children: Map<string, Json[]>
  readonly text: string[]
}

/**
 * XML as JSON: the root by its name, every child an array. An element of text alone is that text; one with attributes
 * has them by name, and its text under `textContent`. Strict, without DTD and without entities but the five that are
 * XML's own, so nothing can be fetched or blown up. Throws `MalformedXml` and nothing else.
 */
export function parseXml(text: string): Json {
  const reader = new Reader(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  reader.refuseControls()
  while (reader.step());
  return reader.document()
}

/** Puts the JSON that the XML in the row's `value` is in its place. */
export const map: Mapper = parsedText(parseXml, MalformedXml)

class Reader {
  readonly #source: string
  readonly #open: Open[] = []
  #at = 0
  #root: { readonly name: string; readonly value: Json } | undefined

  constructor(source: string) {
    this.#source = source
  }

  /** Characters that XML has no way to hold, not even as a reference. */
  refuseControls(): void {
    const found = this.#source.search(CONTROL)
    if (found < 0) return
    this.#at = found
    throw this.#fail('a control character stands in it')
  }

  /** Reads up to the end of the next piece of markup; false at the end. */
  step(): boolean {
    const next = this.#source.indexOf('<', this.#at)
    const end = next < 0 ? this.#source.length : next
    if (end > this.#at) this.#characters(this.#at, end)
    this.#at = end
    if (next < 0) return false
    this.#markup()
    return true
  }

  document(): Json {
    const unclosed = this.#open.at(-1)
    if (unclosed) throw this.#fail(`<${unclosed.name}> is never closed`)
    if (!this.#root) throw this.#fail('there is no element in it')
    const document: Record<string, Json> = {}
    setKey(document, this.#root.name, this.#root.value)
    return document
  }

  #markup(): void {
    if (this.#looksAt('<!--')) this.#comment()
    else if (this.#looksAt('<![CDATA[')) this.#section()
    else if (this.#looksAt('<?'))
      this.#at = this.#find('?>', 2, 'a processing instruction <? is never closed') + 2
    else if (this.#looksAt('<!DOCTYPE'))
      throw this.#fail('a DOCTYPE is not read, since it could hold entities')
    else if (this.#looksAt('</')) this.#closingTag()
    else this.#openingTag()
  }

  #comment(): void {
    const end = this.#find('--', 4, 'a comment <!-- is never closed')
    if (this.#source[end + 2] !== '>') throw this.#fail('-- stands inside a comment')
    this.#at = end + 3
  }

  #section(): void {
    const element = this.#open.at(-1)
    if (!element) throw this.#fail('text stands outside the root element')
    const end = this.#find(']]>', 9, 'a CDATA section is never closed')
    element.text.push(this.#source.slice(this.#at + 9, end))
    this.#at = end + 3
  }

  #characters(from: number, to: number): void {
    const raw = this.#source.slice(from, to)
    const element = this.#open.at(-1)
    if (element) {
      if (raw.includes(']]>')) throw this.#fail(']]> stands in text')
      element.text.push(decode(raw, this.#source, from))
    } else if (!/^[ \t\r\n]*$/.test(raw)) throw this.#fail('text stands outside the root element')
  }

  #openingTag(): void {
    const tag = readTag(this.#source, this.#at)
    if (this.#root) throw this.#fail(`a second root element <${tag.name}> follows the first`)
    if (this.#open.length >= DEEPEST) throw this.#fail(`elements are nested more than ${DEEPEST} deep`)
    this.#open.push({ name: tag.name, attributes: tag.attributes, children: new Map(), text: [] })
    this.#at = tag.end
    if (tag.empty) this.#close()
  }

  #closingTag(): void {
    const end = this.#find('>', 2, 'a closing tag has no >')
    const name = this.#source.slice(this.#at + 2, end).trimEnd()
    const element = this.#open.at(-1)
    if (!isName(name)) throw this.#fail(`</${name.slice(0, 40)} is no closing tag`)
    if (element?.name !== name)
      throw this.#fail(
        element ? `</${name}> stands where </${element.name}> should` : `</${name}> closes nothing`,
      )
    this.#at = end + 1
    this.#close()
  }

  #close(): void {
    const element = this.#open.pop()!
    const value = elementValue(element)
    const parent = this.#open.at(-1)
    if (!parent) this.#root = { name: element.name, value }
    else {
      const siblings = parent.children.get(element.name)
      if (siblings) siblings.push(value)
      else parent.children.set(element.name, [value])
    }
  }

  #looksAt(text: string): boolean {
    return this.#source.startsWith(text, this.#at)
  }

  #find(text: string, skip: number, otherwise: string): number {
    const found = this.#source.indexOf(text, this.#at + skip)
    if (found < 0) throw this.#fail(otherwise)
    return found
  }

  #fail(problem: string): MalformedXml {
    return new MalformedXml(problem, this.#source, this.#at)
  }
}

function elementValue({ attributes, children, text }: Open): Json {
  const content = text.join('')
  if (attributes.length === 0 && children.size === 0) return content
  const value: Record<string, Json> = {}
  // White space between children is the layout of the file; beside attributes alone, text is kept as it stands.
  const shown = children.size > 0 ? content.trim() : content
  const hasText = shown.trim() !== ''
  for (const [name, text] of attributes) {
    const taken = children.has(name) || (hasText && name === 'textContent')
    setKey(value, taken ? `@${name}` : name, text)
  }
  for (const [name, items] of children) setKey(value, name, items)
  if (hasText) value[children.has('textContent') ? '#text' : 'textContent'] = shown
  return value
}
