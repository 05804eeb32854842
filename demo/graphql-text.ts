/** As much of GraphQL's grammar as a list of products needs: one operation, variables, aliases, arguments, nested selections. */
export interface Operation {
  kind: 'query' | 'mutation'
  defaults: Record<string, unknown>
  fields: Selection[]
}

export interface Selection {
  alias: string
  name: string
  args: Record<string, ArgumentValue>
  fields: Selection[]
  line: number
  column: number
}

export type ArgumentValue = { variable: string } | { value: unknown }

export class GraphqlError extends Error {
  readonly line: number
  readonly column: number

  constructor(message: string, at: { line: number; column: number }) {
    super(message)
    this.line = at.line
    this.column = at.column
  }
}

interface Token {
  text: string
  line: number
  column: number
}

const END = ''
const TOKEN =
  /[\s,\ufeff]+|#[^\n]*|(\.\.\.|[A-Za-z_]\w*|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|"(?:[^"\\\n]|\\.)*"|[{}()[\]:$!=@])/y

export function parseOperation(text: string): Operation {
  return new Reader(text).operation()
}

class Reader {
  readonly #tokens: Token[]
  #position = 0

  constructor(text: string) {
    this.#tokens = tokensOf(text)
  }

  operation(): Operation {
    const kind = this.#peek() === 'mutation' ? 'mutation' : 'query'
    let defaults = {}
    if (this.#peek() !== '{') {
      const word = this.#take()
      if (word.text !== 'query' && word.text !== 'mutation') throw unexpected(word, 'a query')
      if (isName(this.#peek())) this.#take()
      if (this.#peek() === '(') defaults = this.#variables()
    }
    const fields = this.#selections()
    const rest = this.#take()
    if (rest.text !== END) throw unexpected(rest, 'the end: this demo takes one operation and no fragments')
    return { kind, defaults, fields }
  }

  #variables(): Record<string, unknown> {
    const defaults: Record<string, unknown> = {}
    this.#expect('(')
    while (this.#peek() !== ')') {
      this.#expect('$')
      const name = this.#name()
      this.#expect(':')
      this.#type()
      if (this.#peek() !== '=') continue
      this.#take()
      defaults[name] = this.#literal()
    }
    this.#expect(')')
    return defaults
  }

  #type(): void {
    if (this.#peek() === '[') {
      this.#take()
      this.#type()
      this.#expect(']')
    } else this.#name()
    if (this.#peek() === '!') this.#take()
  }

  #selections(): Selection[] {
    const fields: Selection[] = []
    this.#expect('{')
    do fields.push(this.#selection())
    while (this.#peek() !== '}')
    this.#take()
    return fields
  }

  #selection(): Selection {
    const { line, column } = this.#tokens[this.#position]!
    const alias = this.#name()
    let name = alias
    if (this.#peek() === ':') {
      this.#take()
      name = this.#name()
    }
    const args = this.#peek() === '(' ? this.#arguments() : {}
    const fields = this.#peek() === '{' ? this.#selections() : []
    return { alias, name, args, fields, line, column }
  }

  #arguments(): Record<string, ArgumentValue> {
    const args: Record<string, ArgumentValue> = {}
    this.#expect('(')
    while (this.#peek() !== ')') {
      const name = this.#name()
      this.#expect(':')
      if (this.#peek() === '$') {
        this.#take()
        args[name] = { variable: this.#name() }
      } else args[name] = { value: this.#literal() }
    }
    this.#expect(')')
    return args
  }

  #literal(): unknown {
    const token = this.#take()
    if (/^[-\d"]/.test(token.text)) return JSON.parse(token.text)
    if (token.text === 'true' || token.text === 'false' || token.text === 'null')
      return JSON.parse(token.text)
    if (isName(token.text)) return token.text
    throw unexpected(token, 'a value')
  }

  #name(): string {
    const token = this.#take()
    if (!isName(token.text)) throw unexpected(token, 'a name')
    return token.text
  }

  #expect(text: string): void {
    const token = this.#take()
    if (token.text !== text) throw unexpected(token, `"${text}"`)
  }

  #peek(): string {
    return this.#tokens[this.#position]!.text
  }

  #take(): Token {
    const token = this.#tokens[this.#position]!
    // The end stays where it is, however often it is asked for.
    if (token.text !== END) this.#position++
    return token
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = placeOf(text, TOKEN.lastIndex)
    const match = TOKEN.exec(text)
    if (!match) throw new GraphqlError('Syntax Error: this character is not part of GraphQL.', at)
    if (match[1] !== undefined) tokens.push({ text: match[1], ...at })
  }
  return [...tokens, { text: END, ...placeOf(text, text.length) }]
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}

function isName(text: string): boolean {
  return /^[A-Za-z_]/.test(text)
}

function unexpected(token: Token, wanted: string): GraphqlError {
  const found = token.text === END ? 'the end' : `"${token.text}"`
  return new GraphqlError(`Syntax Error: expected ${wanted}, found ${found}.`, token)
}
