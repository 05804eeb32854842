import type { Span } from '../diagnostics.ts'
import type { Path, Token } from '../values.ts'

/** An expression as plain nodes. Each carries its place in the query's text, for the errors that only running shows. */
export type Expression =
  | {
      readonly kind: 'literal'
      readonly value: null | boolean | number | bigint | string
      readonly span: Span
    }
  | { readonly kind: 'path'; readonly path: Path; readonly span: Span }
  | { readonly kind: 'token'; readonly token: Token; readonly span: Span }
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
