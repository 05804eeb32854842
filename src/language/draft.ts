import type { CommandDeclaration, Parameter } from './declaration.ts'
import type { Span } from './diagnostics.ts'
import type { Source } from './escapes.ts'
import type { Stage } from './plan.ts'
import type { Value } from './values.ts'

/** A stage as far as it could be understood: what the editor and the plan's document show of it. */
export interface StageDraft {
  readonly index: number
  readonly name: string
  /** Absent for an unknown command. */
  readonly declaration?: CommandDeclaration
  readonly label?: string
  readonly args: readonly GivenArgument[]
  readonly flags: readonly GivenFlag[]
  /** Present when nothing is wrong with it. */
  readonly stage?: Stage
  readonly line: number
  readonly column: number
  readonly span: Span
}

export interface GivenArgument {
  readonly parameter?: Parameter
  readonly source: Source
  readonly value?: Value
}

export interface GivenFlag {
  /** As declared, or as written where it is not known. */
  readonly name: string
  readonly parameter?: Parameter
  readonly span: Span
  /** One for each value; a boolean flag may stand alone. */
  readonly source?: Source
  readonly value?: Value
}
