import type { Plan, PlanDocument, Stage, StageDocument } from '../../language/plan.ts'
import { literalText } from '../../language/tokens.ts'
import type { Value } from '../../language/values.ts'
import { type Limits, windowMs, windowNames } from '../gonogo/limits.ts'

/** What the policies allow a host; null is no limit. */
export type LimitsOf = (host: string) => Limits | null

/** The plan with what is known of its cost: how many requests to which domain, and the least time they take. */
export function withEstimates(
  document: PlanDocument,
  plan: Plan,
  { limitsOf, cached }: { readonly limitsOf: LimitsOf; readonly cached: ReadonlySet<number> },
): PlanDocument {
  let rows: number | null = null
  const stages = document.stages.map((described, index) => {
    const stage = plan.stages[index]!
    const input = index === 0 ? 1 : rows
    rows = rowsAfter(stage, input)
    if (cached.has(index)) return { ...described, estimate: nothing, fromCache: true }
    return stage.declaration.kind === 'expand'
      ? { ...described, estimate: estimateOf(described, input, limitsOf) }
      : described
  })
  return { ...document, stages }
}

/** Rows that are there already ask nobody. */
const nothing: StageDocument['estimate'] = { requests: 0, domains: {}, leastMs: 0 }

function estimateOf(
  { domains }: StageDocument,
  requests: number | null,
  limitsOf: LimitsOf,
): StageDocument['estimate'] {
  // A stage that takes its address from the row asks domains that nobody knows before it runs.
  const [domain] = domains
  if (requests === null || domain === undefined) return { requests, domains: {}, leastMs: null }
  const limits = limitsOf(domain.replace(/:\d+$/, ''))
  return { requests, domains: { [domain]: requests }, leastMs: limits ? leastTime(requests, limits) : 0 }
}

/** When the last of so many dispatches can go out at the earliest; null when a limit is 0. */
export function leastTime(dispatches: number, limits: Limits): number | null {
  const waits = windowNames.map(name => {
    const limit = limits[name]
    return limit === undefined || dispatches === 0 ? 0 : Math.floor((dispatches - 1) / limit) * windowMs[name]
  })
  const least = Math.max(...waits)
  return Number.isFinite(least) ? least : null
}

/** Commands that give as many rows as they get. */
const KEEPING: ReadonlySet<string> = new Set(
  'sort reverse fill filldown table drop rename addcolumn eval sequence guid timestamp flatten unflatten replace merge trim lower upper convert round parseTimestamp formatTimestamp bin parseJSON stringify jsonpath parseURL parseXML urlencode urldecode base64 unbase64 absurl hash redact text markdown webhook'.split(
    ' ',
  ),
)
const CUTTING: ReadonlySet<string> = new Set(['head', 'tail', 'limit', 'sample'])

/** How many rows come out of a stage, where that can be known before it runs. */
function rowsAfter(stage: Stage, input: number | null): number | null {
  const { where, appendStage, take } = stage.flags
  if (where !== undefined || appendStage !== undefined) return null
  const rows = rowsOfCommand(stage, input)
  const most = numberOf(take)
  return rows !== null && most !== null ? Math.min(rows, most) : rows
}

function rowsOfCommand({ declaration: { name }, args }: Stage, input: number | null): number | null {
  if (name === 'range') return rangeLength(args)
  if (name === 'seed') return seedLength(args.rows)
  if (KEEPING.has(name)) return input
  const most = CUTTING.has(name) ? numberOf(Object.values(args)[0]) : null
  return most !== null && input !== null ? Math.min(input, most) : null
}

function rangeLength(args: Stage['args']): number | null {
  const [from, to] = Object.values(args).map(numberOf)
  return from !== undefined && from !== null && to !== undefined && to !== null
    ? Math.abs(to - from) + 1
    : null
}

function seedLength(value: Value | readonly Value[] | undefined): number | null {
  if (!value || Array.isArray(value) || (value as Value).type !== 'json') return null
  const { value: json } = value as Extract<Value, { type: 'json' }>
  if (json.kind === 'constant') return Array.isArray(json.value) ? json.value.length : 1
  return json.kind === 'array' ? json.items.length : 1
}

function numberOf(value: Value | readonly Value[] | undefined): number | null {
  if (!value || Array.isArray(value)) return null
  const given = value as Value
  if (given.type === 'number') return Number(given.value)
  const text = given.type === 'text' ? literalText(given.template) : undefined
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : null
}
