import { commands } from '../../commands/index.ts'
import { isStored } from '../../engine/stored-stages.ts'
import type { PlanDocument, StageDocument } from '../../language/plan.ts'
import { plan } from '../../language/planner.ts'
import { seconds } from './progress.ts'

/** A plan for people: a line for each stage, what runs in one statement, and what it asks of whom. */
export function explanation(document: PlanDocument): string {
  const groups = statements(document)
  const width = Math.max(...document.stages.map(({ command }) => command.command.length))
  const lines = groups.flatMap((group, i) => [
    `${i + 1}. ${title(group)}`,
    ...group.map(stage => stageText(stage, width)),
  ])
  return [...lines, '', total(document.stages)].join('\n')
}

/** Stages that are executed together: up to and with each one that goes into a file. */
function statements({ query, stages }: PlanDocument): StageDocument[][] {
  const planned = plan(query, { commands }).plan?.stages ?? []
  const scope = { constant: () => undefined }
  const groups: StageDocument[][] = [[]]
  for (const stage of stages) {
    groups.at(-1)!.push(stage)
    const known = planned[stage.index]
    const isLast = stage.index === stages.length - 1
    if (!isLast && (known === undefined || isStored(planned, known, scope))) groups.push([])
  }
  return groups
}

function title(group: readonly StageDocument[]): string {
  if (group.every(stage => stage.fromCache)) return 'from the cache'
  if (group.some(stage => stage.kind === 'expand')) return 'once for each row'
  return group.length === 1 ? 'one statement' : `one statement for ${group.length} stages`
}

function stageText(
  { index, label, kind, command, fromCache, estimate }: StageDocument,
  width: number,
): string {
  const parts = [`   ${index} ${command.command.padEnd(width)}  ${kind}`]
  if (label !== null) parts.push(`label ${label}`)
  if (fromCache) parts.push('in the cache')
  else if (kind === 'expand') parts.push(cost(estimate))
  return parts.join('  ')
}

function cost(estimate: StageDocument['estimate']): string {
  if (estimate === null || estimate.requests === null) return 'requests: not known before it runs'
  const domains = Object.entries(estimate.domains).map(([domain, requests]) => `${requests} to ${domain}`)
  const requests = domains.length > 0 ? domains.join(', ') : `${estimate.requests}, domains not known yet`
  return `requests: ${requests}${estimate.leastMs ? `; at least ${seconds(estimate.leastMs)}` : ''}`
}

function total(stages: readonly StageDocument[]): string {
  const asking = stages.filter(stage => stage.kind === 'expand' && !stage.fromCache)
  if (asking.length === 0) return 'No requests.'
  const known = asking.flatMap(({ estimate }) => (estimate ? [estimate] : []))
  const requests = known.reduce((sum, { requests: count }) => sum + (count ?? 0), 0)
  const least = known.reduce((sum, { leastMs }) => sum + (leastMs ?? 0), 0)
  const isComplete = known.length === asking.length && known.every(estimate => estimate.requests !== null)
  return `${isComplete ? '' : 'At least '}${requests} ${requests === 1 ? 'request' : 'requests'}, at least ${seconds(least)}.`
}
