import type { ProblemItem } from '../api/problem.ts'
import { Field } from './field.tsx'
import { type FormObject, type FormSchema, kindOf, withField } from './schema.ts'

interface ObjectFieldsProps {
  readonly schema: FormSchema
  readonly value: FormObject | undefined
  readonly onChange: (value: FormObject) => void
  readonly path: string
  readonly errors: readonly ProblemItem[]
}

/** One field for each property, the required ones first. */
export function ObjectFields({ schema, value, onChange, path, errors }: ObjectFieldsProps) {
  const isRequired = (name: string) => schema.required?.includes(name) ?? false
  const fields = Object.entries(schema.properties ?? {}).filter(([, field]) => kindOf(field) !== 'fixed')
  const inOrder = fields.toSorted(([one], [other]) => Number(isRequired(other)) - Number(isRequired(one)))
  return inOrder.map(([name, field]) => (
    <Field
      key={name}
      name={name}
      schema={field}
      value={value?.[name]}
      onChange={changed => onChange(withField(schema, value, name, changed))}
      required={isRequired(name)}
      path={`${path}.${name}`}
      errors={errors}
    />
  ))
}
