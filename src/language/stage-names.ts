import type { Source } from './escapes.ts'
import * as messages from './messages.ts'
import { nearest } from './nearest.ts'
import type { ValueContext } from './read-value.ts'
import type { Value } from './values.ts'

/** The labels of a query's stages, as far as a stage in it needs them. */
export interface StageNames {
  /** Index of the stage that asks. */
  readonly current: number
  readonly count: number
  /** Of all stages, to tell a later one from an unknown one. */
  readonly labels: ReadonlyMap<string, number>
}

/** A label, an index from 0, or one of the parameter's own words; only earlier stages will do. */
export function readStageReference(source: Source, context: ValueContext): Value | undefined {
  const { problems, stages, parameter } = context
  const { text, span } = source
  const value: Value = { type: 'text', template: { parts: [text] }, span }
  const word = parameter.choices?.find(choice => choice.toLowerCase() === text.toLowerCase())
  if (word !== undefined) {
    if (stages.current > 0) return { ...value, template: { parts: [word] } }
    problems.report(span, messages.noPreviousStage())
    return undefined
  }
  const index = stages.labels.get(text) ?? (/^\d{1,9}$/.test(text) ? Number(text) : undefined)
  if (index !== undefined && index < stages.current) return value
  if (index !== undefined && index < stages.count)
    problems.report(span, messages.laterStage(text, index === stages.current))
  else problems.report(span, unknown(text, stages))
  return undefined
}

function unknown(text: string, stages: StageNames): messages.Message {
  const earlier = [...stages.labels].filter(([, index]) => index < stages.current).map(([label]) => label)
  return messages.unknownStage(text, earlier, nearest(text, earlier))
}
