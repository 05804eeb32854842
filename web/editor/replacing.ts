import { EditorView } from '@codemirror/view'

/**
 * Where typed text replaces a selection the browser would keep its colour by a style attribute, which the policy of the
 * page forbids, and says so in the console each time: so the editor puts the text in by itself.
 */
export const replacing = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { from, to, empty } = view.state.selection.main
    const { data } = event
    if (event.inputType !== 'insertText' || event.isComposing || empty || !data) return false
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    event.preventDefault()
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some(handle => handle(view, from, to, data, insert))) view.dispatch(insert())
    return true
  },
})
