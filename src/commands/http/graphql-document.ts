/** The kinds of operations in a GraphQL document, in order; one without a keyword is a query. */
export function operationsIn(document: string): string[] {
  const text = document
    .replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"/g, '""')
    .replace(/#[^\n\r]*/g, '')
    // What is inside parentheses and braces says nothing about the kind, and may hold any name.
    .replace(/\([^()]*\)/g, '')
  const operations: string[] = []
  let depth = 0
  let keyword: string | undefined
  for (const [word] of text.matchAll(/[{}]|[A-Za-z_]\w*/g)) {
    if (word === '{' && depth++ === 0) {
      if (keyword !== 'fragment') operations.push(keyword ?? 'query')
      keyword = undefined
    } else if (word === '}') depth--
    else if (depth === 0 && word !== '{') keyword ??= word
  }
  return operations
}

/** Whether it may change something: a mutation, or something that is not understood. */
export const isMutation = (document: string): boolean => operationsIn(document).some(kind => kind !== 'query')
