import { Stack } from '@mantine/core'
import type { ProblemItem } from '../api/problem.ts'
import { ObjectFields } from './object-fields.tsx'
import type { FormObject, FormSchema } from './schema.ts'

interface SchemaFormProps {
  /** Of an object. */
  readonly schema: FormSchema
  readonly value: FormObject
  readonly onChange: (value: FormObject) => void
  /** `errors` of the problem that the server answered with. */
  readonly errors?: readonly ProblemItem[]
  /** Where the value stands in the body that is sent: the beginning of the paths of `errors`. */
  readonly path?: string
}

/** The fields of a JSON Schema, without a form element or a button around them. Values that are not given are left out. */
export function SchemaForm({ schema, value, onChange, errors = [], path = '$' }: SchemaFormProps) {
  return (
    <Stack gap="sm">
      <ObjectFields schema={schema} value={value} onChange={onChange} errors={errors} path={path} />
    </Stack>
  )
}
