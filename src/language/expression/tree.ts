import type { Span } from '../diagnostics.ts'
import type { Path, Template, Token } from '../values.ts'

/** An expression as plain nodes. Each carries its place in the query's text, for the errors that only running shows. */
export type Expression =
  | {
      readonly kind: 'literal'
      readonly value: null | boolean | number | bigint | string
      readonly span: Span
    }
  | { readonly kind: 'path'; readonly path: Path; readonly span: Span }
  | { readonly kind: 'token'; readonly token: Token; readonly span: Span }
  /** Quoted text with tokens in it. */
  | { readonly kind: 'template'; readonly template: Template; readonly span: Span }
  /** The right side of `=~` and `!~`, and the pattern of matches, extract and extractall: always written out. */
  | { readonly kind: 'regex'; readonly template: Template; readonly span: Span }
  | {
      readonly kind: 'unary'
      readonly operator: 'not' | '-'
      readonly operand: Expression
      readonly span: Span
    }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
      readonly span: Span
    }
  | {
      readonly kind: 'in'
      readonly negated: boolean
      readonly operand: Expression
      readonly list: readonly Expression[]
      readonly span: Span
    }
  | {
      readonly kind: 'between'
      readonly negated: boolean
      readonly operand: Expression
      readonly low: Expression
      readonly high: Expression
      readonly span: Span
    }
  | { readonly kind: 'isNull'; readonly negated: boolean; readonly operand: Expression; readonly span: Span }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: readonly Expression[]
      readonly span: Span
    }

export type BinaryOperator =
  | 'and'
  | 'or'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'like'
  | 'notLike'
  | '=~'
  | '!~'
  | 'contains'
  | 'startswith'
  | 'endswith'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '??'

export type Call = Extract<Expression, { kind: 'call' }>
export type Binary = Extract<Expression, { kind: 'binary' }>
export type RegexNode = Extract<Expression, { kind: 'regex' }>
