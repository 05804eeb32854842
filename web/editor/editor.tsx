import {
  acceptCompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { Annotation, EditorState, type Extension, Prec } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers, placeholder, tooltips } from '@codemirror/view'
import { type RefObject, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import type { CommandDeclaration } from '../../src/language/declaration.ts'
import type { Diagnostic } from '../../src/language/diagnostics.ts'
import { styleNonce } from '../app/nonce.ts'
import { completion, type Surroundings } from './completion.ts'
import './editor.css'
import { highlighting, setCommands } from './highlighting.ts'
import { hover } from './hover.ts'
import { showDiagnostics } from './marks.ts'
import { replacing } from './replacing.ts'

export interface EditorHandle {
  focus(): void
  /** 1-based, as messages tell it. */
  jumpTo(line: number, column: number): void
}

export interface EditorProps {
  readonly value: string
  readonly commands: readonly CommandDeclaration[]
  readonly diagnostics: readonly Diagnostic[]
  readonly surroundings: Surroundings
  readonly ref: RefObject<EditorHandle | null>
  /** Not where it is one field of several. */
  readonly takesFocus?: boolean
  readonly onChange: (text: string) => void
  /** With what stands in it: `value` may be a moment behind the keys. */
  readonly onRun: (text: string) => void
  readonly onFormat: (text: string) => void
  /** To the query before (-1) or after (1) this one. */
  readonly onHistory: (step: -1 | 1) => void
  /** The keyboard wants to go on to the rest of the page. */
  readonly onLeave: () => void
}

const fromOutside = Annotation.define<boolean>()
const HINT_ID = 'query-editor-keys'

/** The editor of queries. What is typed in it is told by `onChange`; a `value` that differs replaces its text. */
export default function Editor(props: EditorProps) {
  const { value, commands, diagnostics, ref } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const onChange = useEffectEvent(props.onChange)
  const onRun = useEffectEvent(props.onRun)
  const onFormat = useEffectEvent(props.onFormat)
  const onHistory = useEffectEvent(props.onHistory)
  const onLeave = useEffectEvent(props.onLeave)
  const columnsAt = useEffectEvent(props.surroundings.columnsAt)
  const labelsAt = useEffectEvent(props.surroundings.labelsAt)
  const namesOf = useEffectEvent(props.surroundings.namesOf)
  const begin = useEffectEvent(() => value)
  const takesFocus = useEffectEvent(() => props.takesFocus ?? true)

  useEffect(() => {
    const done = (act: (text: string) => void) => (view: EditorView) => {
      act(view.state.doc.toString())
      return true
    }
    const keys = keymap.of([
      { key: 'Mod-Enter', run: done(onRun) },
      { key: 'Shift-Alt-f', run: done(onFormat) },
      { key: 'Ctrl-ArrowUp', run: done(() => onHistory(-1)) },
      { key: 'Ctrl-ArrowDown', run: done(() => onHistory(1)) },
    ])
    const made = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: begin(),
        extensions: [
          Prec.highest(keys),
          Prec.highest(keymap.of([{ key: 'Tab', run: acceptCompletion }])),
          basics,
          completion({
            columnsAt: (text, cursor) => columnsAt(text, cursor),
            labelsAt: (text, cursor) => labelsAt(text, cursor),
            namesOf: kind => namesOf(kind),
          }),
          EditorView.updateListener.of(update => {
            if (!update.docChanged || update.transactions.some(it => it.annotation(fromOutside))) return
            onChange(update.state.doc.toString())
          }),
          // After the lists and panels that Escape closes.
          Prec.lowest(keymap.of([{ key: 'Escape', run: done(onLeave) }])),
        ],
      }),
    })
    view.current = made
    // On a touch screen the keyboard would cover the page before anybody has seen it.
    if (takesFocus() && !window.matchMedia('(pointer: coarse)').matches) made.focus()
    return () => made.destroy()
  }, [])

  useEffect(() => {
    view.current?.dispatch({ effects: setCommands.of(commands) })
  }, [commands])

  useEffect(() => {
    const { current } = view
    if (!current || current.state.doc.toString() === value) return
    current.dispatch({
      changes: { from: 0, to: current.state.doc.length, insert: value },
      selection: { anchor: value.length },
      annotations: fromOutside.of(true),
      scrollIntoView: true,
    })
  }, [value])

  useEffect(() => {
    if (view.current) showDiagnostics(view.current, diagnostics)
  }, [diagnostics])

  useImperativeHandle(ref, () => ({
    focus: () => view.current?.focus(),
    jumpTo: (line, column) => view.current && jump(view.current, line, column),
  }))

  return (
    <>
      <div ref={host} className="query-editor" />
      <span id={HINT_ID} hidden>
        Control and Enter runs the query. Control and Space completes. Escape leaves the editor.
      </span>
    </>
  )
}

function jump(view: EditorView, line: number, column: number): void {
  const found = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)))
  const anchor = Math.min(found.to, found.from + column - 1)
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
  view.focus()
}

const basics: Extension = [
  EditorView.cspNonce.of(styleNonce()),
  lineNumbers(),
  history(),
  drawSelection(),
  EditorView.lineWrapping,
  bracketMatching(),
  closeBrackets(),
  highlighting,
  hover,
  replacing,
  tooltips({ position: 'fixed' }),
  placeholder('api get https://… || filter "price > 10" || sort price'),
  EditorView.contentAttributes.of({
    'aria-label': 'Query',
    'aria-describedby': HINT_ID,
    // It takes the focus without, but nobody who judges by attributes would know.
    tabindex: '0',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocorrect: 'off',
    // Escape closes a list of completions, not the dialog around the editor.
    'data-mantine-stop-propagation': 'true',
  }),
  keymap.of([
    ...closeBracketsKeymap,
    // Escape simplifies several selections, of which there are none, and so would never get further.
    ...defaultKeymap.filter(({ key }) => key !== 'Escape' && key !== 'Mod-Enter'),
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]),
]
