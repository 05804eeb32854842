import type { Json, Row } from './json.ts'
import type { Stage } from './plan.ts'

/**
 * What a command says of itself. Plain data that survives JSON: the parser, the help, the docs, completion, the
 * forms and the editor in the web application are all made from it.
 */
export interface CommandDeclaration {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly kind: Kind
  /** The group it is listed under in the docs. */
  readonly group: 'get' | 'rows' | 'columns' | 'groups' | 'send'
  /** One line, no full stop. */
  readonly summary: string
  /** The rest of its story, in Markdown. */
  readonly help?: string
  readonly arguments: readonly Parameter[]
  readonly flags?: readonly Parameter[]
  readonly examples: readonly Example[]
  /** A reduce command that may stand first: it then starts from one empty row. */
  readonly startsFromEmptyRow?: boolean
  /**
   * Gives other rows each time, so its result is never cached nor computed twice. A function where it depends on what
   * the stage was given: `api post` writes, `api get` does not.
   */
  readonly volatile?: boolean | ((stage: Stage) => boolean)
  /** How many columns of a result it takes when offered for one (`decorate`): none, one or several. */
  readonly decorates?: 'attribute' | 'multiattribute'
}

/** source makes rows; expand runs once for every row; reduce works on the whole table. */
export type Kind = 'source' | 'expand' | 'reduce'

/** Names that live outside the query. */
export type NameKind =
  | 'credential'
  | 'secret'
  | 'prompt'
  | 'store'
  | 'template'
  | 'templateValue'
  | 'cellar'
  | 'device'

/** An argument or a flag. A flag whose name ends in `.*` takes every flag that begins so (`template.*`). */
export interface Parameter {
  readonly name: string
  readonly type: ValueType
  readonly help: string
  /** Arguments only: may be left out. Flags are always optional. */
  readonly optional?: boolean
  /** Takes one or more values: an argument all the words that follow, a flag a list. */
  readonly repeated?: boolean
  readonly default?: Json
  /** With type `choice`; with type `stage`, words it takes besides (`--appendStage true`). */
  readonly choices?: readonly string[]
  readonly min?: number
  readonly max?: number
  /** With `repeated`: the number of values must be a multiple of this (`rename OLD NEW …` takes pairs). */
  readonly multipleOf?: number
  /** With type `path`: whether `*` and `a.*` may be given. Unless said, a repeated one may. */
  readonly wildcard?: boolean
  /** With type `json`: what does not begin like JSON is taken as text (`--data`). */
  readonly orText?: boolean
  /** The value is a name of this kind, checked when the caller knows the names. */
  readonly names?: NameKind
  /** Narrows the tokens it takes: none, or only those that are the same for every row. */
  readonly tokens?: 'none' | 'constant'
  /** Where `$pagination.next$` is the pointer just read; elsewhere it is a column like any other. */
  readonly pagination?: boolean
  /** Where a request takes secrets, and so `$CREDENTIALS.x$` and `$SECRETS.x$` are allowed. */
  readonly secret?: boolean
  /** Its place among the other flags that say so counts: what is to be done to a page, in the order of writing. */
  readonly ordered?: boolean
  /** False for a flag that does not change the rows, and so is no part of the cache key. */
  readonly affectsRows?: boolean
}

export type ValueType =
  | 'text' // a string; tokens are filled in before the command sees it
  | 'template' // text whose row tokens the command itself compiles (addcolumn, fill, merge)
  | 'url'
  | 'regex'
  | 'expression'
  | 'aggregates' // "count() as n, avg(price)"
  | 'json'
  | 'javascript'
  | 'sql'
  | 'graphql'
  | 'css'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'path' // a column, or a value inside one; `*` and `a.*` where the command is a selection
  | 'column' // the name of a column to be made: a path as well
  | 'stage' // a label, or an index from 0
  | 'choice'

/** `input || query` gives `output`: run by the tests, shown in the docs. */
export interface Example {
  readonly title?: string
  /** Rows that come before, as if by `seed`. */
  readonly input?: readonly Row[]
  readonly query: string
  /** Exactly the rows that come out. Absent only where they differ each time; then `columns` are checked. */
  readonly output?: readonly Row[]
  readonly columns?: readonly string[]
}
