import type { Span } from './diagnostics.ts'
import type { Expression } from './expression/tree.ts'
import type { Json } from './json.ts'

/** A place inside a row. `text` is as written: a column of exactly that name wins over nesting. */
export interface Path {
  readonly text: string
  readonly segments: readonly string[]
  /** `a.*` or `*`: everything below. */
  readonly wildcard?: boolean
}

/** `$path|format$`, or one of the names in capitals. */
export interface Token {
  readonly kind:
    | 'row'
    | 'timestamp'
    | 'wholeRow'
    | 'rowIndex'
    | 'credential'
    | 'secret'
    | 'prompt'
    | 'checkpoint'
    | 'template'
    | 'pagination'
    | 'queryId'
    | 'guid'
  /** row: the path; credential, secret, prompt, checkpoint, template, pagination: the name as segments; timestamp: [], ['EPOCH'] or ['ISO']. */
  readonly path: Path
  readonly format?: 'url' | 'json' | 'text'
  readonly source: string
  readonly span: Span
}

/** Text with holes. Without tokens it is one string part (or none, for the empty text). */
export type TemplatePart = string | Token
export interface Template {
  readonly parts: readonly TemplatePart[]
}

/**
 * JSON whose strings may hold tokens; a leaf that is exactly one token takes its value with its type. Whatever holds
 * no token is one `constant`. The nodes are tagged because `{parts: [...]}` may be the user's own object.
 */
export type JsonTemplate =
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'text'; readonly template: Template }
  | { readonly kind: 'array'; readonly items: readonly JsonTemplate[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, JsonTemplate])[] }

export interface Aggregate {
  readonly function: string
  readonly argument?: Expression
  /** The name of the column it gives, as written after `as` or made from the call. */
  readonly as: Path
  readonly span: Span
}

/** A checked value of an argument or a flag, still with its tokens. */
export type Value =
  | { readonly type: 'text'; readonly template: Template; readonly span: Span } // text template url javascript sql graphql css choice stage
  | { readonly type: 'regex'; readonly template: Template; readonly span: Span }
  | { readonly type: 'number'; readonly value: number | bigint; readonly span: Span } // integer number
  | { readonly type: 'boolean'; readonly value: boolean; readonly span: Span }
  | { readonly type: 'path'; readonly path: Path; readonly span: Span } // path column
  | { readonly type: 'json'; readonly value: JsonTemplate; readonly span: Span }
  | { readonly type: 'expression'; readonly expression: Expression; readonly span: Span }
  | { readonly type: 'aggregates'; readonly aggregates: readonly Aggregate[]; readonly span: Span }
  /** A number, boolean or path given by a token alone (`head $n$` in an expanding stage, a template's parameter): typed when it is filled in. */
  | { readonly type: 'deferred'; readonly template: Template; readonly as: string; readonly span: Span }
