import { FileInput } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { FormObject, FormSchema } from '../forms/schema.ts'

interface KeyFileProps {
  readonly schema: FormSchema
  readonly onRead: (fields: FormObject) => void
}

/** The file of a service account holds most of the fields. */
export function KeyFile({ schema, onRead }: KeyFileProps) {
  const [problem, setProblem] = useState<string>()
  const read = async (file: File | null) => {
    setProblem(undefined)
    if (file === null) return
    try {
      const content = JSON.parse(await file.text()) as FormObject
      const known = Object.entries(content).filter(([name]) => schema.properties?.[name] !== undefined)
      if (known.length === 0) setProblem('Nothing of a service account is in this file.')
      onRead(Object.fromEntries(known))
    } catch {
      setProblem('This file is not JSON.')
    }
  }
  return (
    <FileInput
      label="Fill in from a file"
      description="The JSON file of the service account, as it was downloaded"
      placeholder="Choose the file"
      accept="application/json,.json"
      leftSection={<IconFileUpload size={16} />}
      error={problem}
      onChange={file => void read(file)}
    />
  )
}
