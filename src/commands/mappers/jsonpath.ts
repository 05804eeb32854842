import type { Json, Row } from '../../language/json.ts'
import { CommandFailure } from '../failure.ts'
import type { Mapper } from '../mapper.ts'
import { compare } from './jsonpath-compare.ts'
import { type Operand, parseJsonPath, type Selector, type Step, type Test } from './jsonpath-parse.ts'

/** Several `..` in a row find the same values over and over, more often with every one. */
const MOST_FOUND = 100_000

const tooManyFound = () =>
  new CommandFailure('jsonpath_too_wide', `The path finds more than ${MOST_FOUND} values in one row.`, {
    hint: 'Make it narrower: each .. multiplies what is found.',
  })

/** Puts what the path finds in the row's `value` in its place. */
export const map: Mapper = options => {
  const { value, path } = options as { readonly value: string; readonly path: string }
  const steps = parseJsonPath(path)
  return row => {
    const found = row[value] === undefined ? [] : select(row[value], steps)
    return { ...row, [value]: isDefinite(steps) ? (found[0] ?? null) : found }
  }
}

/** Whether a path can lead to one value only, and so gives that value instead of a list. */
export const isDefinite = (steps: readonly Step[]): boolean =>
  steps.every(
    ({ deep, selectors }) =>
      !deep && selectors.length === 1 && ['name', 'index'].includes(selectors[0]!.kind),
  )

/** All values that a path leads to, in the order of the document. */
export function select(root: Json, steps: readonly Step[], start: Json = root): Json[] {
  let found: Json[] = [start]
  for (const { deep, selectors } of steps) {
    const next: Json[] = []
    for (const value of deep ? found.flatMap(withDescendants) : found) {
      for (const selector of selectors) for (const item of picked(value, selector, root)) next.push(item)
      if (next.length > MOST_FOUND) throw tooManyFound()
    }
    found = next
  }
  return found
}

function withDescendants(value: Json): Json[] {
  const all: Json[] = []
  const walk = (item: Json): void => {
    all.push(item)
    if (all.length > MOST_FOUND) throw tooManyFound()
    for (const child of childrenOf(item)) walk(child)
  }
  walk(value)
  return all
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
const isObject = (value: Json): value is Row => value !== null && typeof value === 'object' && !isList(value)

const childrenOf = (value: Json): readonly Json[] =>
  isList(value) ? value : isObject(value) ? Object.values(value) : []

function picked(value: Json, selector: Selector, root: Json): readonly Json[] {
  switch (selector.kind) {
    case 'name':
      return present(member(value, selector.name))
    case 'index':
      return present(item(value, selector.index))
    case 'all':
      return childrenOf(value)
    case 'slice':
      return isList(value) ? sliced(value, selector) : []
    case 'filter':
      return childrenOf(value).filter(child => holds(selector.test, child, root))
  }
}

const present = (value: Json | undefined): readonly Json[] => (value === undefined ? [] : [value])

/** As in every path of the language, `.0` and `[0]` are the same. */
function member(value: Json, name: string): Json | undefined {
  if (isList(value)) return /^(0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

const item = (value: Json, index: number): Json | undefined =>
  isList(value) ? value.at(index) : index >= 0 ? member(value, String(index)) : undefined

function sliced(list: readonly Json[], slice: Extract<Selector, { kind: 'slice' }>): Json[] {
  const { from, to, step } = slice
  const bound = (at: number) => (at < 0 ? list.length + at : at)
  const items: Json[] = []
  if (step > 0) {
    const end = Math.min(list.length, bound(to ?? list.length))
    for (let at = Math.max(0, bound(from ?? 0)); at < end; at += step) items.push(list[at]!)
  } else if (step < 0) {
    const end = to === undefined ? -1 : Math.max(-1, bound(to))
    for (let at = Math.min(list.length - 1, bound(from ?? list.length - 1)); at > end; at += step)
      items.push(list[at]!)
  }
  return items
}

function holds(test: Test, item: Json, root: Json): boolean {
  switch (test.kind) {
    case 'and':
      return holds(test.left, item, root) && holds(test.right, item, root)
    case 'or':
      return holds(test.left, item, root) || holds(test.right, item, root)
    case 'not':
      return !holds(test.operand, item, root)
    case 'exists':
      return read(test.operand, item, root) !== null
    case 'compare':
      return compare(test.operator, read(test.left, item, root), read(test.right, item, root))
  }
}

/** Null and missing are the same. */
function read(operand: Operand, item: Json, root: Json): Json {
  if (operand.kind === 'literal') return operand.value
  return select(root, operand.steps, operand.from === '@' ? item : root)[0] ?? null
}
