import type { Span } from '../diagnostics.ts'
import type { Lexeme } from './lexer.ts'
import type { Message } from './messages.ts'
import * as messages from './messages.ts'
import type { Problem } from './problem.ts'

/** Ends the reading of one expression; caught in `parse.ts` and nowhere else. */
export class ParseError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/** Where the reading of an expression stands, and how it fails. */
export class Cursor {
  protected readonly text: string
  protected readonly lexemes: readonly Lexeme[]
  protected readonly at: (offset: number) => number
  protected index = 0

  constructor(text: string, lexemes: readonly Lexeme[], at: (offset: number) => number) {
    this.text = text
    this.lexemes = lexemes
    this.at = at
  }

  protected get peek(): Lexeme {
    return this.lexemes[Math.min(this.index, this.lexemes.length - 1)]!
  }

  protected get previous(): Lexeme {
    return this.lexemes[this.index - 1]!
  }

  protected isOperator(text: string): boolean {
    const lexeme = this.peek
    return lexeme.kind === 'operator' && lexeme.text === text
  }

  protected take(operator: string): boolean {
    const found = this.isOperator(operator)
    if (found) this.index++
    return found
  }

  protected takeWord(word: string): boolean {
    const lexeme = this.peek
    const found = lexeme.kind === 'path' && lexeme.text.toLowerCase() === word
    if (found) this.index++
    return found
  }

  protected expectEnd(): void {
    const lexeme = this.peek
    if (lexeme.kind === 'end') return
    const written = this.text.slice(lexeme.start, lexeme.end)
    const stray = lexeme.kind === 'operator' && lexeme.text === ')'
    this.fail(lexeme, stray ? messages.strayBracket() : messages.missingOperator(written))
  }

  /** A bracket was to be closed here: either it never is, or something stands in the way. */
  protected unfinished(open: Lexeme): never {
    const lexeme = this.peek
    if (lexeme.kind === 'end') return this.fail(open, messages.unclosedBracket())
    return this.fail(lexeme, messages.missingOperator(this.text.slice(lexeme.start, lexeme.end)))
  }

  protected fail(lexeme: Lexeme, message: Message): never {
    throw new ParseError({ ...message, ...this.span(lexeme) })
  }

  protected span(lexeme: Lexeme): Span {
    return { offset: this.at(lexeme.start), length: this.at(lexeme.end) - this.at(lexeme.start) }
  }

  /** From a lexeme to the last one consumed. */
  protected spanFrom(start: Lexeme): Span {
    const end = this.previous.end
    return { offset: this.at(start.start), length: this.at(end) - this.at(start.start) }
  }
}
