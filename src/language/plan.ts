import type { CommandDeclaration } from './declaration.ts'
import type { Diagnostic, Span } from './diagnostics.ts'
import type { Value } from './values.ts'

/** A checked query, as the engine runs it. */
export interface Plan {
  readonly query: string
  readonly stages: readonly Stage[]
}

export interface Stage {
  readonly index: number
  readonly label?: string
  readonly declaration: CommandDeclaration
  /** By parameter name; a list for a repeated one. Only what was given: defaults are filled in when it runs. */
  readonly args: Readonly<Record<string, Value | readonly Value[]>>
  readonly flags: Readonly<Record<string, Value | readonly Value[]>>
  readonly line: number
  readonly column: number
  readonly span: Span
}

/** The plan as `parse` answers it (language.md 9): plain JSON. */
export interface PlanDocument {
  readonly query: string
  readonly valid: boolean
  readonly errors: readonly Diagnostic[]
  readonly stages: readonly StageDocument[]
}

export interface StageDocument {
  readonly index: number
  readonly label: string | null
  readonly kind: string
  readonly line: number
  readonly column: number
  readonly tokens: readonly string[]
  readonly domains: readonly string[]
  readonly estimate: {
    readonly requests: number | null
    readonly domains: Readonly<Record<string, number>>
    readonly leastMs: number | null
  } | null
  /** Its rows are in the cache at this moment. */
  readonly fromCache: boolean
  readonly defaults: Readonly<Record<string, unknown>>
  readonly command: CommandDocument
}

/** What `dispatch a command` takes: each argument is the list of its parts, tokens apart from text. */
export interface CommandDocument {
  readonly command: string
  readonly args: readonly (readonly string[])[]
  readonly flags: Readonly<Record<string, unknown>>
  readonly line: number
}
