import type { Stage } from '../language/plan.ts'
import type { Scope } from '../language/resolve.ts'
import { stageValues } from './stage-values.ts'
import type { StageFile } from './tables/stage-file.ts'

/** Looks a stage's rows up by the hash of what decides them. */
export type FindCached = (key: string, maxAgeSeconds: number | undefined) => Promise<StageFile | null>

/**
 * The stages that earlier queries have run lately, each with its table where there is one: the last of them and all
 * before it need not run again. Nothing after a stage that must be fresh is among them: with `fetchesAnew`, as on a
 * schedule, that is every stage that fetches and does not say `--cache true` itself.
 */
export async function cachedStages(
  stages: readonly Stage[],
  keys: readonly (string | null)[],
  find: FindCached,
  scope: Scope,
  fetchesAnew = false,
): Promise<Map<number, StageFile | null>> {
  const values = stages.map(stage => stageValues(stage, scope).universal)
  const isAsked = (stage: Stage) => stage.flags.cache !== undefined || stage.declaration.kind !== 'expand'
  const fresh = values.findIndex(
    ({ cache }, index) => cache === false || (fetchesAnew && !isAsked(stages[index]!)),
  )
  const found = new Map<number, StageFile | null>()
  for (const { index } of stages.slice(0, fresh < 0 ? undefined : fresh).reverse()) {
    const key = keys[index]
    const table = key ? await find(key, values[index]!.ttl) : null
    if (table || found.size > 0) found.set(index, table)
  }
  return found
}
