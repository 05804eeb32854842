/** The little Markdown that the declarations of the language are written in. */
export type Block =
  | { readonly kind: 'paragraph' | 'item'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Piece[])[])[] }

export interface Piece {
  readonly style: 'text' | 'code' | 'bold'
  readonly text: string
}

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  for (const [index, part] of markdown.split('```').entries()) {
    if (index % 2 === 1) blocks.push({ kind: 'code', text: part.replace(/^\w*\n/, '').trimEnd() })
    else blocks.push(...part.split(/\n\s*\n/).flatMap(textBlocks))
  }
  return blocks
}

function textBlocks(part: string): Block[] {
  const text = part.trim()
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.every(line => line.startsWith('|'))) return [{ kind: 'table', rows: tableRows(lines) }]
  if (lines[0]!.startsWith('- '))
    return text
      .slice(2)
      .split(/\n- /)
      .map(item => ({ kind: 'item', pieces: piecesOf(item) }))
  return [{ kind: 'paragraph', pieces: piecesOf(text) }]
}

const tableRows = (lines: readonly string[]) =>
  lines
    .filter(line => !/^[|\s:-]+$/.test(line))
    .map(line =>
      line
        .replace(/^\||\|\s*$/g, '')
        .split(/(?<!\\)\|/)
        .map(cell => piecesOf(cell.trim().replaceAll('\\|', '|'))),
    )

/** Two back-ticks hold text that has one in it. */
function piecesOf(text: string): Piece[] {
  return text.split(/(``.+?``|`[^`]+`|\*\*[^*]+\*\*)/s).flatMap((piece): Piece[] => {
    if (piece === '') return []
    const code = /^(`+)([\s\S]+?)\1$/.exec(piece)
    if (code) return [{ style: 'code', text: code[2]!.trim() }]
    if (piece.startsWith('**') && piece.length > 4) return [{ style: 'bold', text: piece.slice(2, -2) }]
    return [{ style: 'text', text: piece.replace(/\s*\n\s*/g, ' ') }]
  })
}
