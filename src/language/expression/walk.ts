import type { Template, Token } from '../values.ts'
import type { Binary, Expression } from './tree.ts'

export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'unary':
    case 'isNull':
      return [node.operand]
    case 'binary':
      return [node.left, node.right]
    case 'in':
      return [node.operand, ...node.list]
    case 'between':
      return [node.operand, node.low, node.high]
    case 'call':
      return node.args
    default:
      return []
  }
}

/** Every node, the outer before the inner, left before right. Not by recursion: `a or b or …` may be long. */
export function* nodesOf(expression: Expression): Generator<Expression> {
  const rest = [expression]
  for (let node = rest.pop(); node; node = rest.pop()) {
    yield node
    rest.push(...childrenOf(node).toReversed())
  }
}

export function tokensIn(expression: Expression): Token[] {
  return [...nodesOf(expression)].flatMap(node => {
    if (node.kind === 'token') return [node.token]
    return node.kind === 'template' || node.kind === 'regex' ? tokensOfTemplate(node.template) : []
  })
}

const tokensOfTemplate = (template: Template): Token[] =>
  template.parts.filter(part => typeof part !== 'string')

/** The operands of a chain of one operator: `(a and b) and c` gives a, b, c. */
export function flatten(node: Binary): Expression[] {
  const operands: Expression[] = []
  let left: Expression = node
  while (left.kind === 'binary' && left.operator === node.operator) {
    operands.push(left.right)
    left = left.left
  }
  return [left, ...operands.toReversed()]
}
