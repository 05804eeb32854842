import { Input, Paper, Skeleton, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import { format } from '../../src/language/format.ts'
import type { ProblemItem } from '../api/problem.ts'
import { lazily } from '../app/lazily.ts'
import type { EditorHandle } from '../editor/editor.tsx'
import { surroundingsOf } from '../query/surroundings.ts'
import { useCheck } from '../query/use-check.ts'
import { useCommands } from '../query/use-commands.ts'
import styles from './query-field.module.css'

const Editor = lazily(() => import('../editor/editor.tsx'))

interface Properties {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Those of the whole form: the query's own have a line and a column. */
  readonly errors: readonly ProblemItem[]
  readonly description?: string
  /** Values may be missing in it: only the language judges it, not what is stored on the server. */
  readonly isTemplate?: boolean
}

/** A query in a form, with the editor of the query page. */
export function QueryField({ value, onChange, errors, description, isTemplate = false }: Properties) {
  const client = useQueryClient()
  const commands = useCommands()
  const check = useCheck(value, commands, undefined)
  const diagnostics = isTemplate ? (check.planned?.diagnostics ?? []) : check.diagnostics
  const surroundings = useMemo(() => surroundingsOf(client, undefined), [client])
  const editor = useRef<EditorHandle>(null)
  const frame = useRef<HTMLDivElement>(null)
  const form = () => frame.current?.closest('form')
  const wrong = wordsOf(diagnostics) ?? wordsOf(errors)
  return (
    <Input.Wrapper label="Query" labelElement="div" description={description} required>
      <Paper
        withBorder
        mt={4}
        className={styles.frame}
        data-wrong={wrong !== undefined || undefined}
        ref={frame}
      >
        <Suspense fallback={<Skeleton h={84} radius={0} role="status" aria-label="Loading the editor" />}>
          <Editor
            ref={editor}
            takesFocus={false}
            value={value}
            commands={commands}
            diagnostics={diagnostics}
            surroundings={surroundings}
            onChange={onChange}
            onRun={text => {
              // The form sends what it was drawn with.
              flushSync(() => onChange(text))
              form()?.requestSubmit()
            }}
            onFormat={text => onChange(format(text, commands))}
            onHistory={() => {}}
            onLeave={() => form()?.querySelector<HTMLElement>('[type=submit]')?.focus()}
          />
        </Suspense>
      </Paper>
      {wrong && (
        <Text
          size="xs"
          c="var(--mantine-color-error)"
          mt={4}
          role="status"
          style={{ whiteSpace: 'pre-line' }}
        >
          {wrong}
        </Text>
      )}
    </Input.Wrapper>
  )
}

function wordsOf(errors: readonly ProblemItem[]): string | undefined {
  const own = errors.filter(({ path, line }) => path === '$.query' || line !== undefined)
  const words = own.map(({ line, column, message, hint }) => {
    const where = line === undefined ? '' : `Line ${line}, column ${column}: `
    return `${where}${message}${hint ? ` ${hint}` : ''}`
  })
  return words.length > 0 ? words.join('\n') : undefined
}
