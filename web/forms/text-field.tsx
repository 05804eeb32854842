import { Textarea, TextInput } from '@mantine/core'
import { type ClipboardEvent, useState } from 'react'
import { describe } from './describe.tsx'
import type { FieldProps, FormSchema } from './schema.ts'

/** Texts that always have several lines. */
const isLong = ({ description = '', default: value }: FormSchema): boolean =>
  /\bPEM\b/.test(description) || (typeof value === 'string' && value.includes('\n'))

/** One line, or several as soon as there are: a line break that is pasted must not get lost. */
export function useLines({ schema, value, onChange }: FieldProps) {
  const [pasted, setPasted] = useState(false)
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    if (!text.trim().includes('\n')) return
    event.preventDefault()
    setPasted(true)
    onChange(text)
  }
  const isText = typeof value === 'string'
  return { several: pasted || isLong(schema) || (isText && value.includes('\n')), onPaste }
}

export function TextField(props: FieldProps) {
  const { value, onChange, required } = props
  const { several, onPaste } = useLines(props)
  const common = {
    ...describe(props),
    required,
    value: typeof value === 'string' ? value : '',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value),
  }
  return several ? (
    <Textarea {...common} autosize minRows={3} maxRows={12} />
  ) : (
    <TextInput {...common} onPaste={onPaste} />
  )
}
