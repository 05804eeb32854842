import { isRenderer, type Renderer } from '../results/cells/values.ts'

/** How a manifest wants rows to be shown. */
export interface AttributesView {
  /** The columns that are shown, in this order; all of them where it names none. */
  readonly visible: readonly string[]
  readonly renderers: ReadonlyMap<string, Renderer>
}

/** What a context of attributes says of the view; anything may stand in it, and what is no word of ours says nothing. */
export function viewOf(context: Readonly<Record<string, unknown>> | null | undefined): AttributesView {
  const { visibleAttributes, attributeRenderers } = context ?? {}
  const named = typeof attributeRenderers === 'object' ? Object.entries(attributeRenderers ?? {}) : []
  return {
    visible: Array.isArray(visibleAttributes) ? visibleAttributes.map(String) : [],
    renderers: new Map(named.filter((one): one is [string, Renderer] => isRenderer(one[1]))),
  }
}

/** Those of the columns that the view shows; all of them where none would be left. */
export function visibleColumns<T extends { readonly name: string }>(
  columns: readonly T[],
  { visible }: AttributesView,
): readonly T[] {
  const shown = visible.flatMap(name => columns.find(column => column.name === name) ?? [])
  return shown.length > 0 ? shown : columns
}
