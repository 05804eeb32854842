import { Suspense, useMemo } from 'react'
import type { CommandDeclaration } from '../../src/language/declaration.ts'
import { parse } from '../../src/language/parser.ts'
import { positionsOf } from '../../src/language/positions.ts'
import { Problems } from '../../src/language/problems.ts'
import type { QueryRecord } from '../api/types.ts'
import { ErrorBoundary } from '../app/error-boundary.tsx'
import { lazily } from '../app/lazily.ts'
import { Loading } from '../components/states.tsx'
import { PlanStrip, runningSteps, useSeconds, writtenSteps } from './plan-strip.tsx'
import { RunLine, RunNotes } from './run-status.tsx'
import type { QueryRun } from './use-query-run.ts'

const Results = lazily(async () => ({ default: (await import('../results/results.tsx')).Results }))

/** A query that was run: how it goes, its stages, and the rows of the one that is selected. */
export function RunView({
  run,
  record,
  commands,
  onJump,
  onQueryChange,
}: {
  readonly run: QueryRun
  readonly record: QueryRecord
  readonly commands: readonly CommandDeclaration[]
  readonly onJump: (line: number, column: number) => void
  readonly onQueryChange: (text: string, isRun?: boolean) => void
}) {
  const { stages, stage, status } = run
  const written = useMemo(() => parse(record.query, new Problems(positionsOf(record.query))), [record.query])
  useSeconds((status?.waiting.length ?? 0) > 0)
  return (
    <>
      <RunLine
        record={record}
        status={status}
        onTakeBack={run.text.trim() === record.query.trim() ? undefined : () => run.setText(record.query)}
      />
      <PlanStrip
        steps={
          stages.length > 0
            ? runningSteps(record.query, written, stages, status)
            : writtenSteps(record.query, written, commands)
        }
        selected={stage?.index}
        onSelect={run.select}
      />
      <RunNotes record={record} onJump={onJump} />
      {stage && (
        <ErrorBoundary key={record.id}>
          <Suspense fallback={<Loading />}>
            <Results
              record={record}
              stages={stages}
              stage={stage}
              query={run.text}
              onQueryChange={onQueryChange}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}
