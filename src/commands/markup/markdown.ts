import { isBlock, isHidden } from './display.ts'
import { inlineMarkdown, singleLine } from './markdown-inline.ts'
import {
  attribute,
  type ChildNode,
  type Element,
  elementsOf,
  isElement,
  type ParentNode,
  textContent,
} from './tree.ts'

/** HTML as Markdown: CommonMark, and the tables and struck-out text of GitHub. What is hidden is left out. */
export const toMarkdown = (root: ParentNode): string => blocksOf(root).join('\n\n')

/** Blocks one below the other; text and inline elements between them make a paragraph. */
function blocksOf(parent: ParentNode): string[] {
  const blocks: string[] = []
  let run: ChildNode[] = []
  const endRun = () => {
    const text = inlineMarkdown(run)
    if (text !== '') blocks.push(escapeLineStarts(text))
    run = []
  }
  for (const child of parent.childNodes) {
    if (isElement(child) && isHidden(child)) continue
    if (isElement(child) && holdsBlocks(child)) {
      endRun()
      blocks.push(...blockOf(child))
    } else run.push(child)
  }
  endRun()
  return blocks
}

const holdsBlocks = (element: Element): boolean => isBlock(element) || elementsOf(element).some(isBlock)

function blockOf(element: Element): string[] {
  const heading = /^h([1-6])$/.exec(element.tagName)
  if (heading)
    return nonEmpty(
      singleLine(inlineMarkdown(element.childNodes)),
      text => `${'#'.repeat(Number(heading[1]))} ${text}`,
    )
  switch (element.tagName) {
    case 'hr':
      return ['---']
    case 'pre':
      return [codeBlock(element)]
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir':
      return nonEmpty(listOf(element), text => text)
    case 'blockquote':
      return nonEmpty(toMarkdown(element), text => prefixed(text, '> ', '> ').replace(/^> $/gm, '>'))
    case 'table':
      return tableOf(element)
    case 'dt':
      return nonEmpty(singleLine(inlineMarkdown(element.childNodes)), text => `**${text}**`)
    default:
      return blocksOf(element)
  }
}

const nonEmpty = (text: string, write: (text: string) => string): string[] =>
  text === '' ? [] : [write(text)]

function codeBlock(element: Element): string {
  const text = textContent(element)
    .replace(/\r\n?/g, '\n')
    .replace(/^\n|\n$/g, '')
  const inner = [element, ...elementsOf(element)].map(each => attribute(each, 'class') ?? '').join(' ')
  const language = /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/.exec(inner)?.[1] ?? ''
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

function longestRun(text: string, character: string): number {
  let [longest, run] = [0, 0]
  for (const each of text) {
    run = each === character ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

function listOf(list: Element): string {
  const isNumbered = list.tagName === 'ol'
  const given = Number.parseInt(attribute(list, 'start') ?? '', 10)
  const first = Number.isInteger(given) && given >= 0 ? given : 1
  const items = list.childNodes.filter(isElement).filter(child => !isHidden(child))
  const texts = items.map((item, index) => {
    const mark = isNumbered ? `${first + index}. ` : '- '
    const blocks = item.tagName === 'li' ? blocksOf(item) : blockOf(item)
    return prefixed(joinedInItem(blocks), mark, ' '.repeat(mark.length)).trimEnd()
  })
  return texts.join('\n')
}

/** A list right behind the text of its item keeps the whole list tight. */
const joinedInItem = (blocks: readonly string[]): string =>
  blocks.reduce((text, block, index) => {
    if (index === 0) return block
    return text + (index === 1 && /^(?:- |\d+\. )/.test(block) ? '\n' : '\n\n') + block
  }, '')

const prefixed = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? first : line === '' && rest.trim() === '' ? '' : rest) + line)
    .join('\n')

/** The first row is the head, since a table of Markdown must have one. Tables inside a cell become its text. */
function tableOf(table: Element): string[] {
  const captions = table.childNodes.filter(isElement).filter(child => child.tagName === 'caption')
  const rows = rowsOf(table).map(row => row.map(cellText))
  const width = Math.max(0, ...rows.map(row => row.length))
  const [head, ...rest] = rows
  const blocks = captions.flatMap(caption => blocksOf(caption))
  if (!head || width === 0) return blocks
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`
  const rule = `| ${Array.from({ length: width }, () => '---').join(' | ')} |`
  return [...blocks, [line(head), rule, ...rest.map(line)].join('\n')]
}

function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = []
  for (const child of table.childNodes.filter(isElement)) {
    if (isHidden(child)) continue
    if (child.tagName === 'tr')
      rows.push(child.childNodes.filter(isElement).filter(cell => /^t[dh]$/.test(cell.tagName)))
    else if (/^t(head|body|foot)$/.test(child.tagName)) rows.push(...rowsOf(child))
  }
  return rows.filter(row => row.length > 0)
}

const cellText = (cell: Element): string => toMarkdownLine(cell).replaceAll('|', '\\|')

const toMarkdownLine = (element: Element): string => singleLine(blocksOf(element).join(' '))

/** Text that would begin a heading, a list, a quote or a rule. */
const escapeLineStarts = (text: string): string =>
  text
    .replace(/^(#{1,6}(?= |$)|[-+](?= |$)|>|=+$|-{3,}$)/gm, '\\$1')
    .replace(/^(\d{1,9})([.)])(?= |$)/gm, '$1\\$2')
