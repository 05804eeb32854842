import { Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo, useRef, useState } from 'react'
import type { Diagnostic } from '../../src/language/diagnostics.ts'
import { format } from '../../src/language/format.ts'
import { lazily } from '../app/lazily.ts'
import { showFailure } from '../components/notices.ts'
import { Failure, Loading } from '../components/states.tsx'
import type { EditorHandle } from '../editor/editor.tsx'
import { ExampleList } from './example-list.tsx'
import { PlanStrip, plannedSteps } from './plan-strip.tsx'
import { ProblemList } from './problems.tsx'
import classes from './query.module.css'
import { usualOptions } from './run-options.tsx'
import { RunView } from './run-view.tsx'
import { surroundingsOf } from './surroundings.ts'
import { Toolbar } from './toolbar.tsx'
import { useCheck } from './use-check.ts'
import { useCommands } from './use-commands.ts'
import { useHistory } from './use-history.ts'
import { useQueryRun } from './use-query-run.ts'

const Editor = lazily(() => import('../editor/editor.tsx'))

/** Where queries are written and run, and their results are looked at. */
export default function QueryPage() {
  useDocumentTitle('Query · Forage')
  const commands = useCommands()
  const run = useQueryRun()
  const { text, setText, record, stages } = run
  const [options, setOptions] = useState(usualOptions)
  const check = useCheck(text, commands, run.refusal)
  const walkHistory = useHistory(text, setText)
  const client = useQueryClient()
  const editor = useRef<EditorHandle>(null)
  const runButton = useRef<HTMLButtonElement>(null)

  const start = (query = text) => void run.run(query, options)
  const jump = (line: number, column: number) => editor.current?.jumpTo(line, column)
  const reformat = (query = text) => setText(format(query, commands))
  const fix = ({ offset, length, suggestion = '' }: Diagnostic) => {
    if (check.text !== text) return
    setText(text.slice(0, offset) + suggestion + text.slice(offset + length))
    editor.current?.focus()
  }
  const surroundings = useMemo(
    () => surroundingsOf(client, record && { id: record.id, query: record.query, stages }),
    [client, record, stages],
  )

  return (
    <Stack gap="sm">
      <VisuallyHidden component="h1">Query</VisuallyHidden>
      <Paper withBorder className={classes.editor}>
        <Suspense fallback={<Skeleton h={104} radius={0} role="status" aria-label="Loading the editor" />}>
          <Editor
            ref={editor}
            value={text}
            commands={commands}
            diagnostics={check.diagnostics}
            surroundings={surroundings}
            onChange={setText}
            onRun={start}
            onFormat={reformat}
            onHistory={walkHistory}
            onLeave={() => {
              // Where there is nothing to run, the next Tab leads on from here.
              if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
              runButton.current?.focus()
            }}
          />
        </Suspense>
        <Toolbar
          text={text}
          record={record}
          isRunning={run.isRunning}
          isSending={run.isSending}
          options={options}
          runButton={runButton}
          onOptions={setOptions}
          onRun={() => start()}
          onCancel={() => void run.cancel().catch(showFailure)}
          onFormat={() => reformat()}
          onText={chosen => {
            setText(chosen)
            editor.current?.focus()
          }}
        />
      </Paper>
      <ProblemList problems={check.diagnostics} onJump={jump} onFix={fix} />
      {run.id === undefined ? (
        <>
          {check.planned && (
            <PlanStrip steps={plannedSteps(check.planned, check.estimate)} selected={undefined} />
          )}
          <ExampleList onChoose={start} />
        </>
      ) : record ? (
        <RunView
          run={run}
          record={record}
          commands={commands}
          onJump={jump}
          onQueryChange={(query, isRun) => (isRun ? start(query) : setText(query))}
        />
      ) : run.failure ? (
        <Failure error={run.failure} />
      ) : (
        <Loading />
      )}
    </Stack>
  )
}
