import type { Json } from '../../language/json.ts'

/** What one bracket or name of a path picks from a value. */
export type Selector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'slice'; readonly from?: number; readonly to?: number; readonly step: number }
  | { readonly kind: 'filter'; readonly test: Test }

/** `deep` is `..`: the selectors are tried on the value and on everything inside it. */
export interface Step {
  readonly deep: boolean
  readonly selectors: readonly Selector[]
}

/** The condition of a filter, `[?(…)]`. */
export type Test =
  | { readonly kind: 'and' | 'or'; readonly left: Test; readonly right: Test }
  | { readonly kind: 'not'; readonly operand: Test }
  | { readonly kind: 'exists'; readonly operand: Operand }
  | {
      readonly kind: 'compare'
      readonly operator: Comparison
      readonly left: Operand
      readonly right: Operand
    }

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='

/** A value, or a path from the item (`@`) or from the whole value (`$`). */
export type Operand =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'path'; readonly from: '@' | '$'; readonly steps: readonly Step[] }

/** What is wrong with a JSONPath, and where in it. */
export class BadJsonPath extends Error {
  override readonly name = 'BadJsonPath'
  readonly offset: number
  constructor(problem: string, offset: number) {
    super(`${problem}, at character ${offset + 1}`)
    this.offset = offset
  }
}

/** Filters inside filters inside filters: deeper than anybody writes, shallower than the stack. */
const DEEPEST = 50

/**
 * Reads `$.a['b c'][0][-1][*]..x[1:3][0,2][?(@.price > 10 && @.name == 'x')]`. The filters know comparisons and
 * nothing else: there is no code in a path that could run.
 */
export function parseJsonPath(text: string): Step[] {
  const parser = new PathParser(text)
  const steps = parser.path('$')
  parser.end()
  return steps
}

class PathParser {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  path(root: '$' | '@'): Step[] {
    if (!this.#take(root)) throw this.#fail(`a path begins with ${root}`)
    const steps: Step[] = []
    for (;;) {
      const deep = this.#take('..')
      if (this.#take('[')) steps.push({ deep, selectors: this.#bracket() })
      else if (deep || this.#take('.')) steps.push({ deep, selectors: [this.#name()] })
      else return steps
    }
  }

  end(): void {
    if (this.#at < this.#text.length) throw this.#fail('. or [ should follow')
  }

  #name(): Selector {
    if (this.#take('*')) return { kind: 'all' }
    const found = this.#match(/[\p{L}\p{N}\p{M}_$@:-]+/uy)
    if (found === undefined) throw this.#fail("a name should follow; odd ones are written ['a b']")
    return { kind: 'name', name: found }
  }

  #bracket(): Selector[] {
    const selectors: Selector[] = []
    do {
      this.#space()
      selectors.push(this.#selector())
      this.#space()
    } while (this.#take(','))
    if (!this.#take(']')) throw this.#fail('a [ is not closed here by ]')
    return selectors
  }

  #selector(): Selector {
    if (this.#take('*')) return { kind: 'all' }
    if (this.#take('?')) return { kind: 'filter', test: this.#nested(() => this.#or()) }
    const name = this.#quoted()
    if (name !== undefined) return { kind: 'name', name }
    const from = this.#integer()
    if (this.#text[this.#at] === ':') return this.#slice(from)
    if (from === undefined)
      throw this.#fail("inside [ ] stands a number, 'a name', *, a slice 1:3 or a filter ?(…)")
    return { kind: 'index', index: from }
  }

  #slice(from: number | undefined): Selector {
    this.#at++
    const to = this.#integer()
    const step = this.#take(':') ? (this.#integer() ?? 1) : 1
    return { kind: 'slice', step, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  }

  #or(): Test {
    let left = this.#and()
    while (this.#operator('||')) left = { kind: 'or', left, right: this.#and() }
    return left
  }

  #and(): Test {
    let left = this.#not()
    while (this.#operator('&&')) left = { kind: 'and', left, right: this.#not() }
    return left
  }

  #not(): Test {
    this.#space()
    if (this.#take('!')) return this.#nested(() => ({ kind: 'not', operand: this.#not() }))
    if (!this.#take('(')) return this.#comparison()
    const inner = this.#nested(() => this.#or())
    if (!this.#operator(')')) throw this.#fail('a ( of the filter is not closed here')
    return inner
  }

  #comparison(): Test {
    const left = this.#operand()
    this.#space()
    const operator = this.#match(/==|!=|<=|>=|<|>/y) as Comparison | undefined
    if (!operator) return { kind: 'exists', operand: left }
    return { kind: 'compare', operator, left, right: this.#operand() }
  }

  #operand(): Operand {
    this.#space()
    const next = this.#text[this.#at]
    if (next === '@' || next === '$')
      return { kind: 'path', from: next, steps: this.#nested(() => this.path(next)) }
    return { kind: 'literal', value: this.#literal() }
  }

  #literal(): Json {
    const text = this.#quoted()
    if (text !== undefined) return text
    const number = this.#match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y)
    if (number !== undefined) return Number(number)
    const word = this.#match(/(?:true|false|null)\b/y)
    if (word === undefined)
      throw this.#fail("a filter compares @.name, 'text', numbers, true, false and null")
    return word === 'null' ? null : word === 'true'
  }

  #quoted(): string | undefined {
    const found = this.#match(/'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/y)
    return found?.slice(1, -1).replace(/\\([\s\S])/g, '$1')
  }

  #integer(): number | undefined {
    const found = this.#match(/-?\d{1,9}/y)
    return found === undefined ? undefined : Number(found)
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > DEEPEST) throw this.#fail(`filters are nested more than ${DEEPEST} deep`)
    const result = read()
    this.#depth--
    return result
  }

  #operator(text: string): boolean {
    this.#space()
    return this.#take(text)
  }

  #space(): void {
    this.#match(/\s+/y)
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #fail(problem: string): BadJsonPath {
    return new BadJsonPath(problem, this.#at)
  }
}
