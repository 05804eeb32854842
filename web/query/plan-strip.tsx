import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, useReducer } from 'react'
import { indexOf } from '../../src/language/command-index.ts'
import type { CommandDeclaration } from '../../src/language/declaration.ts'
import type { StageSyntax } from '../../src/language/parser.ts'
import type { Planned } from '../../src/language/planner.ts'
import type { Plan, QueryStatus, StageRecord } from '../api/types.ts'
import { counted } from '../components/numbers.ts'
import { duration } from '../components/time.tsx'
import classes from './query.module.css'
import { StageCard, type Step } from './stage-card.tsx'

/** The stages in a row. Those that have run, or are at it, are selected by a click. */
export function PlanStrip({
  steps,
  selected,
  onSelect,
}: {
  readonly steps: readonly Step[]
  readonly selected: number | undefined
  readonly onSelect?: (index: number) => void
}) {
  return (
    <ol className={classes.plan} aria-label="Stages">
      {steps.map(step => (
        <li key={step.index} className={classes.step}>
          {step.index > 0 && <IconChevronRight size={16} className={classes.arrow} aria-hidden />}
          <StageCard
            step={step}
            isSelected={step.index === selected}
            onSelect={onSelect && (() => onSelect(step.index))}
          />
        </li>
      ))}
    </ol>
  )
}

/** The stages as they are written, with what the server says they will cost. */
export function plannedSteps({ query, stages, diagnostics }: Planned, estimate: Plan | undefined): Step[] {
  return stages.map(({ index, name, label, declaration, span }) => {
    const end = span.offset + span.length
    return {
      index,
      command: declaration?.name ?? name,
      label: label ?? null,
      kind: declaration?.kind ?? 'unknown',
      source: sourceAfter(query.slice(span.offset, end), name),
      isWrong: diagnostics.some(({ offset }) => offset >= span.offset && offset <= end),
      forecast: estimate && forecastOf(estimate.stages[index]),
      record: undefined,
      waiting: undefined,
    }
  })
}

/** The stages in the moment before the server tells of them. */
export function writtenSteps(
  query: string,
  written: readonly StageSyntax[],
  commands: readonly CommandDeclaration[],
): Step[] {
  return written.map(({ index, command, span }) => ({
    index,
    command: command?.raw ?? '',
    label: null,
    kind: indexOf(commands).get(command?.raw.toLowerCase() ?? '')?.kind ?? 'unknown',
    source: sourceAfter(query.slice(span.offset, span.offset + span.length), command?.raw ?? ''),
    isWrong: false,
    forecast: undefined,
    record: undefined,
    waiting: undefined,
  }))
}

/** The stages as they run; `written` is the query that they are of. */
export function runningSteps(
  query: string,
  written: readonly StageSyntax[],
  records: readonly StageRecord[],
  status: QueryStatus | undefined,
): Step[] {
  return records.map(record => {
    const { command, span } = written[record.index] ?? {}
    const isAtWork = record.status === 'running' && status?.stage === record.index
    return {
      index: record.index,
      command: record.command,
      label: record.label,
      kind: record.kind,
      source:
        command && span ? sourceAfter(query.slice(span.offset, span.offset + span.length), command.raw) : '',
      isWrong: false,
      forecast: undefined,
      record,
      waiting: isAtWork ? waitingWords(status.waiting) : undefined,
    }
  })
}

const sourceAfter = (text: string, name: string): string =>
  text.slice(name.length).replace(/\s+/g, ' ').trim()

function forecastOf(stage: Plan['stages'][number] | undefined): string {
  if (!stage) return ''
  if (stage.fromCache) return 'in the cache'
  const { estimate } = stage
  if (!estimate) return ''
  if (estimate.requests === null) return 'a request for each row'
  const domains = Object.keys(estimate.domains)
  const to =
    domains.length === 0
      ? ''
      : ` to ${domains.length > 2 ? counted(domains.length, 'domain') : domains.join(', ')}`
  const requests = counted(estimate.requests, 'request') + to
  return estimate.leastMs ? `${requests}, at least ${duration(estimate.leastMs)}` : requests
}

function waitingWords(waiting: QueryStatus['waiting']): string | undefined {
  const [first] = waiting.toSorted((a, b) => a.untilMs - b.untilMs)
  if (!first) return undefined
  const left = first.untilMs - Date.now()
  return left > 0
    ? `waits ${duration(Math.ceil(left / 1000) * 1000)} for ${first.domain}`
    : `waits for ${first.domain}`
}

/** Draws anew every second, for as long as something counts down. */
export function useSeconds(isOn: boolean): void {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [isOn])
}
