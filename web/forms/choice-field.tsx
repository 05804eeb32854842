import { MultiSelect, Select } from '@mantine/core'
import { stringifyJson } from '../../src/language/json.ts'
import { describe } from './describe.tsx'
import type { FieldProps } from './schema.ts'

/** One of several values of any type; what stands in the list is their JSON. */
export function ChoiceField(props: FieldProps) {
  const { schema, value, onChange, required } = props
  const choices = schema.enum ?? []
  return (
    <Select
      {...describe(props)}
      required={required}
      clearable={!required}
      allowDeselect={!required}
      searchable={choices.length > 8}
      data={choices.map(choice => ({
        value: stringifyJson(choice),
        label: typeof choice === 'string' ? choice : stringifyJson(choice),
      }))}
      value={value === undefined ? null : stringifyJson(value)}
      onChange={text => onChange(choices.find(choice => stringifyJson(choice) === text))}
    />
  )
}

export function ChoicesField(props: FieldProps) {
  const { schema, value, onChange, required } = props
  const choices = (schema.items?.enum ?? []).filter(choice => typeof choice === 'string')
  return (
    <MultiSelect
      {...describe(props, true)}
      withAsterisk={required}
      clearable
      data={choices}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={chosen => onChange(chosen.length === 0 && !required ? undefined : chosen)}
    />
  )
}
