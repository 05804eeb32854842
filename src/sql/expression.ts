import type { Expression } from '../language/expression/tree.ts'
import { type CompileOptions, Compiler, type Lifted } from './compiler.ts'
import type { Column } from './relation.ts'
import type { Sql, SqlType } from './sql.ts'
import { storable } from './text.ts'
import { conditionOf, looseConditionOf } from './truth.ts'
import type { Typed } from './value.ts'

export type { CompileOptions } from './compiler.ts'

/** What an expression became, and what must be known of it before it runs. */
interface Findings {
  /** Functions that must be computed in JavaScript first; when there are any, `sql` cannot run yet (see `lift.ts`). */
  readonly lifted: readonly Lifted[]
  /** Conditions on a row, each true where one division of the expression has a zero below. */
  readonly divisions: readonly Sql[]
  /** Gives other values each time it runs. */
  readonly volatile: boolean
}

export interface Compiled extends Findings {
  readonly sql: Sql
  readonly type: SqlType
}

export interface Condition extends Findings {
  /** Never NULL. */
  readonly sql: Sql
  /** For a WHERE: NULL where it could be false, which lets DuckDB skip what cannot match. */
  readonly where: Sql
}

/**
 * The SQL of an expression over these columns, as a table can hold it. `now()`, `ago()` and all tokens but those of
 * the row must have been filled in by `resolveExpression`. Throws UnknownColumn.
 */
export function compile(
  expression: Expression,
  columns: readonly Column[],
  options: CompileOptions = {},
): Compiled {
  const { value, ...findings } = compileValue(expression, columns, options)
  const { sql, type } = storable(value)
  return { sql, type: type as SqlType, ...findings }
}

export function compileCondition(
  expression: Expression,
  columns: readonly Column[],
  options: CompileOptions = {},
): Condition {
  const { value, ...findings } = compileValue(expression, columns, options)
  return { sql: conditionOf(value), where: looseConditionOf(value), ...findings }
}

/** As inside an expression, where a time is still a TIMESTAMP and a list a LIST. */
export function compileValue(
  expression: Expression,
  columns: readonly Column[],
  options: CompileOptions = {},
): Findings & { readonly value: Typed } {
  const compiler = new Compiler(columns, options)
  const value = compiler.compile(expression)
  return { value, lifted: compiler.lifted, divisions: compiler.divisions, volatile: compiler.isVolatile }
}
