/** What parsing answers: the plan of `language.md` 9, its errors, and the decorations. */
import Type from 'typebox'
import { allOf, Count, FreeObject, fields, nullable, record } from '../fields.ts'

/** One thing wrong with a query, and where; also an item of `errors` in a 422 answer. */
export const DiagnosticRecord = record('Diagnostic', {
  code: Type.String(),
  message: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  offset: Count,
  length: Count,
  expected: Type.Optional(Type.Array(Type.String())),
  hint: Type.Optional(Type.String()),
  suggestion: Type.Optional(Type.String()),
})

/** Can be posted to *Dispatch a command* as it is. */
export const PlannedCommand = record('PlannedCommand', {
  command: Type.String(),
  args: Type.Array(Type.Array(Type.String())),
  flags: FreeObject,
  line: Type.Integer(),
})

const PlannedStage = record('PlannedStage', {
  index: Count,
  label: nullable(Type.String()),
  kind: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  tokens: Type.Array(Type.String()),
  domains: Type.Array(Type.String()),
  estimate: nullable(
    fields({
      requests: nullable(Count),
      domains: Type.Record(Type.String(), Type.Number()),
      leastMs: nullable(Type.Number()),
    }),
  ),
  fromCache: Type.Boolean({ description: 'Its rows would be taken from the cache now' }),
  defaults: FreeObject,
  command: PlannedCommand,
})

export const PlanRecord = record('Plan', {
  query: Type.String(),
  valid: Type.Boolean(),
  errors: Type.Array(DiagnosticRecord),
  stages: Type.Array(PlannedStage),
})

/** Commands that fit the columns of a query's result, each with the query that it would make. */
export const Decorations = allOf(
  'Decorations',
  fields({ command: Type.String(), description: Type.String(), query: Type.String() }),
)
