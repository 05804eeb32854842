import type { Call } from '../../language/expression/tree.ts'
import type { Typed } from '../value.ts'

/** What a function may ask of the compiler. */
export interface CallContext {
  readonly node: Call
  /** A function that only JavaScript can do: its result is a column that is computed beforehand. */
  lift(args: readonly Typed[]): Typed
  /** Gives another value each time: such a stage is never computed twice. */
  markVolatile(): void
}

export type Implementation = (args: readonly Typed[], context: CallContext) => Typed

export type Implementations = Readonly<Record<string, Implementation>>
