import type { Stage } from '../language/plan.ts'
import type { Scope } from '../language/resolve.ts'
import { isVolatile } from './cache-key.ts'
import { readsCellar } from './cellar.ts'
import { stageValues } from './stage-values.ts'

/**
 * Whether a stage's rows go into a file of their own: nobody follows, an expanding stage does, later stages read them by
 * name, or they would differ the next time. Every other one is a part of the statement that makes the next file.
 */
export function isStored(stages: readonly Stage[], stage: Stage, scope: Scope): boolean {
  const next = stages[stage.index + 1]
  return (
    next === undefined ||
    next.declaration.kind === 'expand' ||
    stage.declaration.kind === 'expand' ||
    stage.label !== undefined ||
    isVolatile(stage) ||
    readsCellar(stage) ||
    stages.some(later => appended(stages, later, scope) === stage.index)
  )
}

/** An earlier stage by label or index; `true` is the one before. The planner has checked that it is there. */
export function stageIndex(stages: readonly Stage[], from: Stage, reference: string): number {
  const labelled = stages.findIndex(stage => stage.label === reference)
  return labelled >= 0 ? labelled : reference === 'true' ? from.index - 1 : Number(reference)
}

function appended(stages: readonly Stage[], stage: Stage, scope: Scope): number | undefined {
  if (stage.flags.appendStage === undefined) return undefined
  return stageIndex(stages, stage, stageValues(stage, scope).universal.appendStage!)
}
