import type { Aggregate } from '../values.ts'
import { checkAggregates, checkExpression } from './check.ts'
import { ParseError } from './cursor.ts'
import { lexExpression } from './lexer.ts'
import * as messages from './messages.ts'
import { Parser } from './parser.ts'
import type { Problem } from './problem.ts'
import type { Expression } from './tree.ts'

/** Maps an offset in the expression's text to one in the query. */
export type At = (offset: number) => number

export interface ParsedExpression {
  /** Absent when there are diagnostics. */
  readonly expression?: Expression
  readonly diagnostics: readonly Problem[]
}

export interface ParsedAggregates {
  readonly aggregates?: readonly Aggregate[]
  readonly diagnostics: readonly Problem[]
}

/** Reads one expression. Never throws: what is wrong is in the diagnostics. */
export function parseExpression(text: string, at: At): ParsedExpression {
  const { tree, diagnostics } = run(text, at, parser => parser.whole(), checkExpression)
  return tree ? { expression: tree, diagnostics } : { diagnostics }
}

/** Reads `count() as n, avg(price)`. Never throws either. */
export function parseAggregates(text: string, at: At): ParsedAggregates {
  const { tree, diagnostics } = run(text, at, parser => parser.aggregates(), checkAggregates)
  return tree ? { aggregates: tree, diagnostics } : { diagnostics }
}

function run<T>(
  text: string,
  at: At,
  parse: (parser: Parser) => T,
  check: (tree: T) => readonly Problem[],
): { readonly tree?: T; readonly diagnostics: readonly Problem[] } {
  const place = (start: number, end: number) => ({ offset: at(start), length: at(end) - at(start) })
  if (text.trim() === '') return { diagnostics: [{ ...messages.empty(), ...place(0, text.length) }] }
  const { lexemes, problem } = lexExpression(text, at)
  if (problem) return { diagnostics: [{ ...problem.message, ...place(problem.start, problem.end) }] }
  try {
    const tree = parse(new Parser(text, lexemes, at))
    const diagnostics = check(tree)
    return diagnostics.length > 0 ? { diagnostics } : { tree, diagnostics }
  } catch (error) {
    if (error instanceof ParseError) return { diagnostics: [error.problem] }
    throw error
  }
}
