import { parsePath } from '../paths.ts'
import { isSecretToken } from '../tokens.ts'
import type { Aggregate, Path, Token } from '../values.ts'
import { aggregateNamed, defaultName } from './aggregates.ts'
import { Cursor, ParseError } from './cursor.ts'
import type { FunctionParameter } from './functions.ts'
import { functionNamed } from './functions.ts'
import type { Lexeme } from './lexer.ts'
import * as messages from './messages.ts'
import { readNumber } from './numbers.ts'
import { COMPARISON, DEEPEST, MINUS, NEGATION, POWER, powerOf, RESERVED, SPELLINGS } from './operators.ts'
import { readRegex, readText } from './text.ts'
import type { BinaryOperator, Expression } from './tree.ts'

/** A parser by binding power (Pratt): an operand, then every operator that binds tighter than what stands around it. */
export class Parser extends Cursor {
  #depth = 0

  whole(): Expression {
    const expression = this.#expression(0)
    this.expectEnd()
    return expression
  }

  aggregates(): readonly Aggregate[] {
    const list = [this.#aggregate()]
    while (this.take(',')) list.push(this.#aggregate())
    this.expectEnd()
    return list
  }

  #aggregate(): Aggregate {
    const start = this.peek
    const name = start.kind === 'path' ? start.text : undefined
    if (name === undefined) return this.fail(start, messages.aggregateExpected())
    this.index++
    if (!this.take('(')) {
      const known = aggregateNamed(name)
      return this.fail(
        start,
        known ? messages.bracketsMissing(`${known.name}()`) : messages.aggregateExpected(),
      )
    }
    const open = this.previous
    const argument = this.isOperator(')') ? undefined : this.#inBrackets(open)
    if (!this.take(')')) return this.unfinished(open)
    const callSpan = this.spanFrom(start)
    const as = this.takeWord('as') ? this.#columnName() : undefined
    const call = { function: name.toLowerCase(), ...(argument ? { argument } : {}) }
    return {
      ...call,
      as: as ?? defaultName(call.function, argument),
      span: as ? this.spanFrom(start) : callSpan,
    }
  }

  #columnName(): Path {
    const lexeme = this.peek
    if (lexeme.kind === 'path') {
      this.index++
      return this.#path(lexeme)
    }
    if (lexeme.kind !== 'string') return this.fail(lexeme, messages.nameExpected())
    this.index++
    const { parts } = readText(lexeme.text, this.at)
    const [name] = parts
    if (parts.length !== 1 || typeof name !== 'string') return this.fail(lexeme, messages.nameExpected())
    return { text: name, segments: [name] }
  }

  #expression(power: number): Expression {
    const start = this.peek
    if (++this.#depth > DEEPEST) return this.fail(start, messages.tooDeep())
    let left = this.#operand()
    let compared = false
    // A chain such as a + b + c nests to the left, once for each operator. `and` and `or` are flat in SQL.
    let chained = 0
    for (;;) {
      const operator = this.#infix()
      if (operator === undefined || powerOf(operator) <= power) break
      if (powerOf(operator) === COMPARISON) {
        if (compared) return this.fail(this.peek, messages.chained())
        compared = true
      } else compared = false
      if (operator !== 'and' && operator !== 'or' && ++chained > DEEPEST)
        return this.fail(this.peek, messages.tooDeep())
      left = this.#continue(operator, left, start)
    }
    this.#depth--
    return left
  }

  /** The operator that comes next, by its one spelling; nothing is consumed. */
  #infix(): string | undefined {
    const lexeme = this.peek
    if (lexeme.kind === 'operator') {
      const operator = SPELLINGS[lexeme.text] ?? lexeme.text
      return operator === 'not' || !Object.hasOwn(POWER, operator) ? undefined : operator
    }
    if (lexeme.kind !== 'path') return undefined
    const word = lexeme.text.toLowerCase()
    if (word === 'not') return 'in'
    return Object.hasOwn(POWER, word) ? word : undefined
  }

  #continue(operator: string, left: Expression, start: Lexeme): Expression {
    const negated = this.takeWord('not')
    const lexeme = this.peek
    if (negated && !(lexeme.kind === 'path' && /^(in|like|between)$/i.test(lexeme.text)))
      return this.fail(lexeme, messages.notWhat())
    const actual = negated ? this.#infix()! : operator
    this.index++
    switch (actual) {
      case 'in':
        return { kind: 'in', negated, operand: left, list: this.#list(), span: this.spanFrom(start) }
      case 'between':
        return this.#between(left, negated, start)
      case 'is':
        return this.#isNull(left, start)
      case '=~':
      case '!~':
        return this.#binary(actual, left, this.#regex(lexeme), start)
      default: {
        const lean = actual === '??' ? 1 : 0
        const right = this.#operandAfter(powerOf(actual) - lean, lexeme)
        return this.#binary(negated ? 'notLike' : (actual as BinaryOperator), left, right, start)
      }
    }
  }

  #binary(operator: BinaryOperator, left: Expression, right: Expression, start: Lexeme): Expression {
    return { kind: 'binary', operator, left, right, span: this.spanFrom(start) }
  }

  #between(operand: Expression, negated: boolean, start: Lexeme): Expression {
    const low = this.#operandAfter(COMPARISON, this.previous)
    if (!this.takeWord('and') && !this.take('&&')) return this.fail(this.peek, messages.andExpected())
    const high = this.#operandAfter(COMPARISON, this.previous)
    return { kind: 'between', negated, operand, low, high, span: this.spanFrom(start) }
  }

  #isNull(operand: Expression, start: Lexeme): Expression {
    const negated = this.takeWord('not')
    if (!this.takeWord('null')) return this.fail(this.peek, messages.nullExpected())
    return { kind: 'isNull', negated, operand, span: this.spanFrom(start) }
  }

  #list(): readonly Expression[] {
    const open = this.peek
    if (!this.take('(')) return this.fail(open, messages.listExpected())
    if (this.isOperator(')')) return this.fail(open, messages.emptyList())
    const items = [this.#inBrackets(open)]
    while (this.take(',')) items.push(this.#inBrackets(open))
    if (!this.take(')')) return this.unfinished(open)
    return items
  }

  #regex(operator: Lexeme): Expression {
    const lexeme = this.peek
    if (lexeme.kind === 'end') return this.fail(operator, messages.regexExpected())
    if (lexeme.kind !== 'string') return this.fail(lexeme, messages.regexExpected())
    return this.#regexLiteral(lexeme)
  }

  #regexLiteral(lexeme: Lexeme & { kind: 'string' }): Expression {
    this.index++
    const template = readRegex(lexeme.text, lexeme.quote, offset => this.at(lexeme.start + 1 + offset))
    return { kind: 'regex', template: this.#allowed(template), span: this.span(lexeme) }
  }

  #operandAfter(power: number, operator: Lexeme): Expression {
    if (this.peek.kind === 'end') {
      const written = this.text.slice(operator.start, operator.end)
      return this.fail(operator, messages.expectedOperand('the end', written))
    }
    return this.#expression(power)
  }

  #operand(): Expression {
    const lexeme = this.peek
    this.index++
    switch (lexeme.kind) {
      case 'number':
        return this.#number(lexeme, lexeme, '')
      case 'string':
        return this.#string(lexeme)
      case 'token':
        this.#allowed({ parts: [lexeme.token] })
        return { kind: 'token', token: lexeme.token, span: this.span(lexeme) }
      case 'path':
        return this.#word(lexeme)
      case 'operator':
        return this.#prefix(lexeme)
      default:
        return this.fail(lexeme, messages.expectedOperand('the end'))
    }
  }

  #prefix(lexeme: Lexeme & { kind: 'operator' }): Expression {
    if (lexeme.text === '(') {
      const inner = this.#inBrackets(lexeme)
      if (!this.take(')')) return this.unfinished(lexeme)
      return inner
    }
    if (lexeme.text === '!') return this.#not(lexeme)
    if (lexeme.text === '-') {
      const digits = this.peek
      if (digits.kind === 'number') {
        this.index++
        return this.#number(digits, lexeme, '-')
      }
      const operand = this.#operandAfter(MINUS, lexeme)
      return { kind: 'unary', operator: '-', operand, span: this.spanFrom(lexeme) }
    }
    if (lexeme.text === ')') return this.fail(lexeme, messages.strayBracket())
    return this.fail(lexeme, messages.operatorFirst(lexeme.text))
  }

  #not(lexeme: Lexeme): Expression {
    const operand = this.#operandAfter(NEGATION, lexeme)
    return { kind: 'unary', operator: 'not', operand, span: this.spanFrom(lexeme) }
  }

  #word(lexeme: Lexeme & { kind: 'path' }): Expression {
    if (this.isOperator('(') && !/^(and|or|not|in|is|between|like|true|false|null)$/i.test(lexeme.text))
      return this.#call(lexeme)
    const word = lexeme.text.toLowerCase()
    if (word === 'true' || word === 'false')
      return { kind: 'literal', value: word === 'true', span: this.span(lexeme) }
    if (word === 'null') return { kind: 'literal', value: null, span: this.span(lexeme) }
    if (word === 'not') return this.#not(lexeme)
    if (RESERVED.test(word)) return this.fail(lexeme, messages.operatorFirst(lexeme.text))
    return { kind: 'path', path: this.#path(lexeme), span: this.span(lexeme) }
  }

  #path(lexeme: Lexeme & { kind: 'path' }): Path {
    const path = parsePath(lexeme.text)
    if ('problem' in path) throw new TypeError(`the lexer let through a bad path: ${lexeme.text}`)
    return path
  }

  #call(name: Lexeme & { kind: 'path' }): Expression {
    const open = this.peek
    this.index++
    const known = functionNamed(name.text)
    const args: Expression[] = []
    if (!this.isOperator(')')) {
      do args.push(this.#argument(parameterAt(known?.parameters ?? [], args.length), open))
      while (this.take(','))
    }
    if (!this.take(')')) return this.unfinished(open)
    return { kind: 'call', name: known?.name ?? name.text, args, span: this.spanFrom(name) }
  }

  #argument(parameter: FunctionParameter | undefined, open: Lexeme): Expression {
    const lexeme = this.peek
    if (parameter?.type === 'regex' && lexeme.kind === 'string') return this.#regexLiteral(lexeme)
    return this.#inBrackets(open)
  }

  /** Where the text ends instead, the bracket is what is wrong. */
  #inBrackets(open: Lexeme): Expression {
    return this.peek.kind === 'end' ? this.unfinished(open) : this.#expression(0)
  }

  #number(digits: Lexeme & { kind: 'number' }, start: Lexeme, sign: string): Expression {
    const text = sign + digits.text
    const value = readNumber(text)
    if (value === undefined) return this.fail(digits, messages.bigNumber(text))
    return { kind: 'literal', value, span: this.spanFrom(start) }
  }

  #string(lexeme: Lexeme & { kind: 'string' }): Expression {
    const template = readText(lexeme.text, offset => this.at(lexeme.start + 1 + offset))
    const span = this.span(lexeme)
    if (template.parts.every(part => typeof part === 'string'))
      return { kind: 'literal', value: template.parts.join(''), span }
    return { kind: 'template', template: this.#allowed(template), span }
  }

  /** Secrets go only where a request takes them. */
  #allowed<T extends { readonly parts: readonly (string | Token)[] }>(template: T): T {
    for (const part of template.parts)
      if (typeof part !== 'string' && isSecretToken(part))
        throw new ParseError({ ...messages.secretInExpression(part.source), ...part.span })
    return template
  }
}

/** The parameter that an argument belongs to: the last one may take several. */
export function parameterAt(
  parameters: readonly FunctionParameter[],
  index: number,
): FunctionParameter | undefined {
  const last = parameters.at(-1)
  return parameters[index] ?? (last?.repeated ? last : undefined)
}
