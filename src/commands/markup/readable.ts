import { isBlock, isHidden, isPreformatted } from './display.ts'
import { type ChildNode, type Element, isElement, isText, type ParentNode, textContent } from './tree.ts'

/** The text of a tree as it reads. */
export const readableText = (root: ParentNode): string => new ReadableText(root).whole

/**
 * The text of a tree as a browser's `innerText` has it, but for style sheets: white space runs together, elements that
 * are blocks take lines of their own and paragraphs an empty one between them, cells are parted by tabs, and what is
 * hidden is left out. Written once; each element's own text is a slice of it.
 */
export class ReadableText {
  readonly whole: string
  readonly #parts: string[] = []
  readonly #spans = new Map<Element, { readonly start: number; readonly end: number }>()
  /** Elements that have begun, and whose text has not. */
  #begun: Element[] = []
  readonly #starts = new Map<Element, number>()
  #length = 0
  /** What is to stand before the next text, if any follows. */
  #lines = 0
  #tabs = 0
  #space = false
  /** In a cell that has no text yet: a block there begins no line. */
  #atCellStart = false

  constructor(root: ParentNode) {
    this.#children(root, false)
    this.whole = this.#parts.join('')
  }

  /** An element that is not shown has the text that is in it, as in a browser. */
  of(element: Element): string {
    const span = this.#spans.get(element)
    return span ? this.whole.slice(span.start, span.end) : textContent(element).trim()
  }

  #children(parent: ParentNode, preformatted: boolean): void {
    for (const child of parent.childNodes) this.#node(child, preformatted)
  }

  #node(node: ChildNode, preformatted: boolean): void {
    if (isText(node)) {
      if (preformatted) this.#keep(node.value)
      else this.#collapse(node.value)
    } else if (isElement(node) && !isHidden(node)) this.#element(node, preformatted)
  }

  #element(element: Element, preformatted: boolean): void {
    const lines = element.tagName === 'p' ? 2 : isBlock(element) ? 1 : 0
    if (element.tagName === 'br') this.#lineEnd()
    this.#breakLine(lines)
    if (isCell(element)) this.#atCellStart = true
    this.#begun.push(element)
    this.#children(element, preformatted || isPreformatted(element))
    const start = this.#starts.get(element)
    this.#starts.delete(element)
    if (start === undefined) this.#begun.pop()
    this.#spans.set(element, { start: start ?? this.#length, end: this.#length })
    this.#breakLine(lines)
    if (isCell(element)) this.#endCell(start !== undefined)
  }

  #collapse(text: string): void {
    let at = 0
    for (const found of text.matchAll(/[^ \t\n\r\f]+/g)) {
      if (found.index > at) this.#space = true
      this.#write(found[0])
      at = found.index + found[0].length
    }
    if (at < text.length) this.#space = true
  }

  #keep(text: string): void {
    const [first, ...more] = text.replace(/\r\n?/g, '\n').split('\n')
    if (first) this.#write(first)
    for (const line of more) {
      this.#lineEnd()
      if (line) this.#write(line)
    }
  }

  /** At least this many line ends stand between what was and what comes. */
  #breakLine(count: number): void {
    if (count === 0 || this.#atCellStart) return
    this.#lines = Math.max(this.#lines, count)
    this.#space = false
    this.#tabs = 0
  }

  #lineEnd(): void {
    this.#lines++
    this.#space = false
    this.#tabs = 0
  }

  /** A paragraph at the end of a cell does not part it from the next one, but an empty cell leaves its row where it is. */
  #endCell(hasText: boolean): void {
    if (hasText) this.#lines = 0
    this.#atCellStart = false
    this.#tabs++
    this.#space = false
  }

  #write(text: string): void {
    if (this.#length > 0) this.#put(this.#separator())
    this.#lines = 0
    this.#tabs = 0
    this.#space = false
    this.#atCellStart = false
    for (const element of this.#begun) this.#starts.set(element, this.#length)
    if (this.#begun.length > 0) this.#begun = []
    this.#put(text)
  }

  #separator(): string {
    if (this.#lines > 0) return '\n'.repeat(this.#lines) + '\t'.repeat(this.#tabs)
    return this.#tabs > 0 ? '\t'.repeat(this.#tabs) : this.#space ? ' ' : ''
  }

  #put(text: string): void {
    if (text === '') return
    this.#parts.push(text)
    this.#length += text.length
  }
}

const isCell = (element: Element): boolean => element.tagName === 'td' || element.tagName === 'th'
