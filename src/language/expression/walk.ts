import type { Path, Template, Token } from '../values.ts'
import type { Expression } from './tree.ts'

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

/** The paths that an expression reads, row tokens among them. */
export function pathsIn(expression: Expression): Path[] {
  const written = [...nodesOf(expression)].flatMap(node => (node.kind === 'path' ? [node.path] : []))
  const byToken = tokensIn(expression).flatMap(token => (token.kind === 'row' ? [token.path] : []))
  return [...written, ...byToken]
}
