import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { complete } from '../../src/language/complete.ts'
import type { CompletionItem } from '../../src/language/completion-items.ts'
import type { NameKind } from '../../src/language/declaration.ts'
import { AGGREGATES } from '../../src/language/expression/aggregates.ts'
import { FUNCTIONS } from '../../src/language/expression/functions.ts'
import { helpPanel } from './help-panel.ts'
import { commandsField } from './highlighting.ts'

/** What only the page around the editor knows. */
export interface Surroundings {
  /** Columns of the stage before the one that the cursor is in. */
  columnsAt(text: string, cursor: number): Names
  labelsAt(text: string, cursor: number): readonly string[]
  namesOf(kind: NameKind): Names
}

/** What was fetched already, or a promise of it. */
type Names = readonly string[] | Promise<readonly string[]>

export const completion = (surroundings: Surroundings): Extension =>
  autocompletion({
    override: [context => completionsAt(context, surroundings)],
    icons: false,
    closeOnBlur: true,
    maxRenderedOptions: 200,
    optionClass: ({ type }) => `fq-kind-${type}`,
  })

async function completionsAt(
  context: CompletionContext,
  surroundings: Surroundings,
): Promise<CompletionResult | null> {
  const text = context.state.doc.toString()
  const missing: Promise<unknown>[] = []
  const ask = () => askLanguage(context, text, surroundings, missing)
  let found = ask()
  if (missing.length > 0) {
    await Promise.all(missing.splice(0))
    found = ask()
  }
  // A list that opens by itself where nothing was typed yet would catch the Enter that was meant for a new line.
  if (!context.explicit && found.from === context.pos) return null
  if (found.items.length === 0) return null
  return { from: found.from, to: found.to, options: found.items.map(optionOf), filter: false }
}

function askLanguage(
  { state, pos }: CompletionContext,
  text: string,
  surroundings: Surroundings,
  missing: Promise<unknown>[],
) {
  const known = (names: Names): readonly string[] => {
    if (!(names instanceof Promise)) return names
    missing.push(names.catch(() => []))
    return []
  }
  // Asked only where a name of that kind may stand, and so fetched only then.
  const values = new Proxy<{ readonly [K in NameKind]?: readonly string[] }>(
    {},
    { get: (_, kind) => known(surroundings.namesOf(kind as NameKind)) },
  )
  return complete(text, pos, {
    commands: state.field(commandsField),
    functions: FUNCTIONS,
    aggregates: AGGREGATES,
    columns: known(surroundings.columnsAt(text, pos)),
    labels: surroundings.labelsAt(text, pos),
    values,
  })
}

const optionOf = (item: CompletionItem): Completion => ({
  label: item.label,
  detail: item.detail === item.label ? '' : item.detail,
  type: item.kind,
  ...(item.help !== '' && { info: () => helpPanel('', item.help) }),
  apply: (view, option, from, to) => put(view, option, item, from, to),
})

function put(view: EditorView, option: Completion, item: CompletionItem, from: number, to: number): void {
  // Standing before a space already, or before the bracket that the editor has put there.
  const next = view.state.sliceDoc(to, to + 1)
  const insert = item.apply.endsWith(' ') && next === ' ' ? item.apply.trimEnd() : item.apply
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    annotations: pickedCompletion.of(option),
    userEvent: 'input.complete',
  })
  if (insert.endsWith(' ')) startCompletion(view)
}
