import type { Example } from '../../src/language/declaration.ts'
import { stringifyJson } from '../../src/language/json.ts'

/** An example with the rows that it starts from, as a query that anybody can run. In a fence nothing needs an escape. */
export function runnable({ input, query }: Example): string {
  if (!input) return query
  const rows = input.map(row => `  ${stringifyJson(row)}`).join(',\n')
  return `seed \`\`\`json\n[\n${rows}\n]\n\`\`\`\n|| ${query}`
}
