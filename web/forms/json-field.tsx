import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { parseJson, stringifyJson } from '../../src/language/json.ts'
import { describe } from './describe.tsx'
import { monospaced } from './monospaced.ts'
import type { FieldProps } from './schema.ts'

/** Any value, written as JSON. What is not JSON yet is handed on as a text, which no schema of an object or list takes. */
export function JsonField(props: FieldProps) {
  const { value, onChange, required } = props
  const [text, setText] = useState(() => (value === undefined ? '' : stringifyJson(value, 2)))
  const [problem, setProblem] = useState<string>()
  const { error, ...described } = describe(props, true)
  const change = (next: string) => {
    setText(next)
    try {
      onChange(next.trim() === '' ? undefined : parseJson(next))
      setProblem(undefined)
    } catch {
      onChange(next)
      setProblem('This is not JSON yet.')
    }
  }
  return (
    <Textarea
      {...described}
      placeholder={described.placeholder || 'JSON'}
      required={required}
      error={problem ?? error}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      styles={monospaced}
      value={text}
      onChange={event => change(event.currentTarget.value)}
    />
  )
}
