import { hoverTooltip } from '@codemirror/view'
import { findFlag } from '../../src/language/binding.ts'
import { indexOf } from '../../src/language/command-index.ts'
import type { CommandDeclaration } from '../../src/language/declaration.ts'
import type { Span } from '../../src/language/diagnostics.ts'
import { parse } from '../../src/language/parser.ts'
import { positionsOf } from '../../src/language/positions.ts'
import { Problems } from '../../src/language/problems.ts'
import { typeName, usage } from '../../src/language/wording.ts'
import { helpPanel } from './help-panel.ts'
import { commandsField } from './highlighting.ts'

interface Help {
  readonly span: Span
  readonly title: string
  readonly text: string
}

/** What a command or a flag under the pointer is for. */
export const hover = hoverTooltip((view, pos) => {
  const help = helpAt(view.state.doc.toString(), pos, view.state.field(commandsField))
  if (!help) return null
  return {
    pos: help.span.offset,
    end: help.span.offset + help.span.length,
    above: true,
    create: () => ({ dom: helpPanel(help.title, help.text) }),
  }
})

function helpAt(text: string, pos: number, commands: readonly CommandDeclaration[]): Help | undefined {
  const holds = ({ offset, length }: Span) => pos >= offset && pos <= offset + length
  const stage = parse(text, new Problems(positionsOf(text))).find(({ span }) => holds(span))
  const command = stage?.command && indexOf(commands).get(stage.command.raw.toLowerCase())
  const item = stage?.items.find(({ span }) => holds(span))
  if (!command || !item) return undefined
  if (item === stage.command)
    return {
      span: item.span,
      title: usage(command),
      text: command.help ? `${command.summary}.\n\n${command.help}` : `${command.summary}.`,
    }
  const flag = item.kind === 'flag' ? findFlag(command, item.name) : undefined
  if (!flag) return undefined
  const byDefault = flag.default === undefined ? '' : `\n\nBy default \`${String(flag.default)}\`.`
  return { span: item.span, title: `--${flag.name}: ${typeName(flag)}`, text: flag.help + byDefault }
}
