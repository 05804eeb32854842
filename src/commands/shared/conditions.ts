import type { Expression } from '../../language/expression/tree.ts'
import type { Path } from '../../language/values.ts'

/** Expressions that a command writes for its user: they have no place in the query's text. */
const span = { offset: 0, length: 0 }

export const containsText = (path: Path, text: string): Expression => ({
  kind: 'binary',
  operator: 'contains',
  left: { kind: 'path', path, span },
  right: { kind: 'literal', value: text, span },
  span,
})

export const matchesRegex = (path: Path, regex: string): Expression => ({
  kind: 'binary',
  operator: '=~',
  left: { kind: 'path', path, span },
  right: { kind: 'regex', template: { parts: [regex] }, span },
  span,
})

export const not = (operand: Expression): Expression => ({ kind: 'unary', operator: 'not', operand, span })
