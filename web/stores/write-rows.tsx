import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { type Json, parseJson } from '../../src/language/json.ts'
import { api } from '../api/client.ts'
import type { StreamWrite } from '../api/types.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { counted } from '../components/numbers.ts'
import { entry } from '../forms/entry.ts'
import { monospaced } from '../forms/monospaced.ts'
import { errorAt } from '../forms/schema.ts'
import { STREAMS } from './path.ts'

interface WriteRowsProps {
  readonly stream: string
  readonly onClose: () => void
}

export function WriteRows({ stream, onClose }: WriteRowsProps) {
  const [text, setText] = useState('')
  const write = async () => {
    const config = { rows: rowsIn(text) }
    const { store, rows, refused } = await api.post<StreamWrite>(`${STREAMS}/write`, { name: stream, config })
    showDone(`${store} took ${counted(rows, 'row')}${refused > 0 ? ` and refused ${refused}` : ''}.`)
  }
  return (
    <FormModal title={`Write rows to ${stream}`} action="Write" onSubmit={write} onClose={onClose}>
      {errors => (
        <Textarea
          label="Rows"
          description="A JSON array of objects, or one object on each line"
          placeholder={'{"name": "apple", "price": 1.2}'}
          required
          data-autofocus
          autosize
          minRows={6}
          maxRows={18}
          spellCheck={false}
          styles={monospaced}
          {...entry(text, setText, errorAt(errors, '$.config.rows', true))}
        />
      )}
    </FormModal>
  )
}

function rowsIn(text: string): Json {
  if (text.trimStart().startsWith('[')) return readJson(text, 'The rows are not JSON')
  const lines = text.split('\n').map(line => line.trim())
  return lines.flatMap((line, at) => (line === '' ? [] : [readJson(line, `Line ${at + 1} is not JSON`)]))
}

function readJson(text: string, problem: string): Json {
  try {
    return parseJson(text)
  } catch (error) {
    throw new Error(`${problem}: ${error instanceof Error ? error.message : error}`)
  }
}
