import { isHidden } from './display.ts'
import { attribute, type ChildNode, type Element, isElement, isText, textContent } from './tree.ts'

/** Text and the elements inside a line. Ends of lines that were written (`br`) are kept, other white space runs together. */
export function inlineMarkdown(nodes: readonly ChildNode[]): string {
  return tidy(nodes.map(inline).join(''))
}

/** As a heading or a cell needs it. */
export const singleLine = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
    .join(' ')

const LINE_END = '\u0000'

/** Two spaces end a line of a paragraph; an empty line needs none. */
function tidy(text: string): string {
  const lines = text.split(LINE_END).map(line => line.replace(/[ \t\n\r\f]+/g, ' ').trim())
  while (lines[0] === '') lines.shift()
  while (lines.at(-1) === '') lines.pop()
  return lines.map((line, at) => (line && lines[at + 1] ? `${line}  ` : line)).join('\n')
}

function inline(node: ChildNode): string {
  if (isText(node)) return escaped(node.value)
  if (!isElement(node) || isHidden(node)) return ''
  const write = ELEMENTS[node.tagName]
  return write ? write(node) : content(node)
}

const content = (element: Element): string => element.childNodes.map(inline).join('')

const marked = (mark: string) => (element: Element) => around(content(element), text => mark + text + mark)

/** White space at its ends belongs outside of the marks, or they would not be taken for marks. */
function around(text: string, write: (text: string) => string): string {
  const start = text.search(/[^\s\0]/)
  if (start < 0) return text
  let end = text.length
  while (/[\s\0]/.test(text[end - 1]!)) end--
  return text.slice(0, start) + write(text.slice(start, end)) + text.slice(end)
}

const ELEMENTS: Readonly<Record<string, (element: Element) => string>> = {
  br: () => LINE_END,
  b: marked('**'),
  strong: marked('**'),
  i: marked('*'),
  em: marked('*'),
  s: marked('~~'),
  del: marked('~~'),
  strike: marked('~~'),
  code: code,
  kbd: code,
  samp: code,
  tt: code,
  a: link,
  img: image,
  q: element => `"${content(element)}"`,
}

function code(element: Element): string {
  const text = textContent(element).replace(/\s+/g, ' ')
  if (text.trim() === '') return text
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 0) + 1)
  const room = /^`|`$/.test(text) ? ' ' : ''
  return fence + room + text + room + fence
}

function link(element: Element): string {
  const address = attribute(element, 'href')?.trim()
  if (!address) return content(element)
  return around(content(element), text => `[${text}](${destination(address, attribute(element, 'title'))})`)
}

function image(element: Element): string {
  const address = attribute(element, 'src')?.trim()
  const name = escaped(attribute(element, 'alt') ?? '')
  return address ? `![${name}](${destination(address, attribute(element, 'title'))})` : name
}

function destination(address: string, title: string | undefined): string {
  const safe = address.replace(/[\s\0]/g, encodeURIComponent).replace(/[()<>\\]/g, percent)
  return title ? `${safe} "${title.replace(/\s+/g, ' ').replace(/["\\]/g, '\\$&')}"` : safe
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** What Markdown would take for its own. Between letters an underscore is only an underscore. */
const escaped = (text: string): string =>
  text
    .replaceAll(LINE_END, '')
    .replace(/[\\`*[\]<]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~~/g, '\\~\\~')
