import { type Block, blocksOf, type Piece } from './help-text.ts'

/** The longest help that is shown beside a list; the reference has the rest. */
const MOST_BLOCKS = 4

/** What stands beside an item of the completion, and under the pointer: text nodes and elements, never markup. */
export function helpPanel(title: string, markdown: string): HTMLElement {
  const panel = document.createElement('div')
  panel.className = 'fq-help'
  if (title !== '') panel.append(element('div', 'fq-help-title', title))
  for (const block of blocksOf(markdown).slice(0, MOST_BLOCKS)) panel.append(nodeOf(block))
  return panel
}

function nodeOf(block: Block): HTMLElement {
  if (block.kind === 'code') return element('pre', '', block.text)
  if (block.kind === 'table') {
    const table = document.createElement('div')
    for (const row of block.rows)
      table.append(
        paragraph(
          row.flatMap(cell => [...cell, space]),
          'p',
        ),
      )
    return table
  }
  return paragraph(block.pieces, 'p', block.kind === 'item' ? 'fq-help-item' : '')
}

const space: Piece = { style: 'text', text: ' ' }

function paragraph(pieces: readonly Piece[], tag: string, className = ''): HTMLElement {
  const node = element(tag, className, '')
  for (const { style, text } of pieces)
    node.append(style === 'text' ? text : element(style === 'code' ? 'code' : 'strong', '', text))
  return node
}

function element(tag: string, className: string, text: string): HTMLElement {
  const node = document.createElement(tag)
  if (className !== '') node.className = className
  if (text !== '') node.textContent = text
  return node
}
