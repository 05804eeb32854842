import { scanToken } from '../../src/language/tokens.ts'

/** The names of the values that a text asks for, as it is being written: it need not be a query yet. */
export function parametersIn(text: string): string[] {
  const found = new Set<string>()
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', at + 1)) {
    const { token } = scanToken(text, at) ?? {}
    if (token?.kind === 'template') found.add(token.path.text)
  }
  return [...found]
}

/** A schema to begin with: every value is a text, and required. */
export const schemaFor = (parameters: readonly string[]): string =>
  JSON.stringify(
    {
      type: 'object',
      properties: Object.fromEntries(parameters.map(name => [name, { type: 'string', title: name }])),
      required: parameters,
    },
    null,
    2,
  )
