import { Code, List, Table, Text } from '@mantine/core'
import { type Block, blocksOf, type Piece } from '../editor/help-text.ts'

/** The help of a command as the declarations have it. */
export function Help({ text }: { readonly text: string }) {
  return blocksOf(text).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes its order
    <HelpBlock key={index} block={block} />
  ))
}

function HelpBlock({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'code':
      return <Code block>{block.text}</Code>
    case 'item':
      return (
        <List size="sm">
          <List.Item>
            <Pieces pieces={block.pieces} />
          </List.Item>
        </List>
      )
    case 'table':
      return <HelpTable rows={block.rows} />
    case 'paragraph':
      return (
        <Text size="sm">
          <Pieces pieces={block.pieces} />
        </Text>
      )
  }
}

function HelpTable({ rows }: { readonly rows: readonly (readonly (readonly Piece[])[])[] }) {
  const cells = (row: readonly (readonly Piece[])[]) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes its order
    row.map((pieces, index) => <Pieces key={index} pieces={pieces} />)
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table data={{ head: cells(rows[0] ?? []), body: rows.slice(1).map(cells) }} />
    </Table.ScrollContainer>
  )
}

export function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map(({ style, text }, index) => {
    const key = `${index}${text}`
    if (style === 'code') return <Code key={key}>{text}</Code>
    if (style === 'bold') return <strong key={key}>{text}</strong>
    return <span key={key}>{text}</span>
  })
}
