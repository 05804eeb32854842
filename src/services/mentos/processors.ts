import type { CommandDeclaration } from '../../language/declaration.ts'
import { plan } from '../../language/planner.ts'

/** Stands before processors, so that their text is a whole query; its rows are those of the delivery. */
const PROCESSED = 'range 0 0 _'

/** The text of processors as a query, whose first stage is what they work on. */
export const processorQuery = (processors: readonly string[]): string =>
  [PROCESSED, ...processors].join(' || ')

/** What is wrong with processors: each is a stage, or several, that works on a whole table. */
export function processorProblem(
  processors: readonly string[],
  commands: readonly CommandDeclaration[],
): string | undefined {
  const planned = plan(processorQuery(processors), { commands })
  if (!planned.plan) return `are not valid: ${planned.diagnostics[0]?.message}`
  const other = planned.plan.stages.slice(1).find(({ declaration }) => declaration.kind !== 'reduce')
  if (other)
    return `may only be commands that work on a whole table, such as drop, rename or filter, and ${other.declaration.name} is not one`
  const sending = planned.plan.stages.find(({ declaration }) => declaration.group === 'send')
  return sending && `may not send rows themselves, as ${sending.declaration.name} does`
}
