import type { Mapper } from '../mapper.ts'
import { describeElements } from '../markup/elements.ts'
import { selectorOf } from '../markup/selector.ts'

/** A row for each element of the HTML in the row's `value`, with the other columns; the row itself where there is none. */
export const map: Mapper = options => {
  const { value, selector } = options as { readonly value: string; readonly selector: string | null }
  const select = selectorOf(selector ?? undefined)
  return row => {
    const { [value]: text, _html, ...others } = row
    if (typeof text !== 'string') return others
    const found = describeElements(text, select)
    return found.length > 0 ? found.map(element => ({ ...others, _html: element })) : others
  }
}
