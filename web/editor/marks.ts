import { type Action, type Diagnostic as Mark, setDiagnostics } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import type { Diagnostic } from '../../src/language/diagnostics.ts'
import { fixLabel } from '../query/fix-label.ts'

/** Underlines what is wrong, with the message, what to do, and a button that does it. */
export function showDiagnostics(view: EditorView, diagnostics: readonly Diagnostic[]): void {
  const length = view.state.doc.length
  const marks = diagnostics
    .filter(({ offset }) => offset <= length)
    .map((diagnostic): Mark => {
      const { offset, message, hint, suggestion } = diagnostic
      return {
        from: offset,
        to: Math.min(length, offset + diagnostic.length),
        severity: 'error',
        message: hint ? `${message} ${hint}` : message,
        ...(suggestion !== undefined && { actions: [fix(suggestion)] }),
      }
    })
  view.dispatch(setDiagnostics(view.state, marks))
}

const fix = (suggestion: string): Action => ({
  name: fixLabel(suggestion),
  apply: (view, from, to) =>
    view.dispatch({ changes: { from, to, insert: suggestion }, userEvent: 'input.fix' }),
})
