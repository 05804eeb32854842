import { Switch } from '@mantine/core'
import { describe } from './describe.tsx'
import type { FieldProps } from './schema.ts'

/** On or off. Where nothing is given it shows what then holds. */
export function SwitchField(props: FieldProps) {
  const { schema, value, onChange } = props
  const { placeholder: _, ...described } = describe(props)
  return (
    <Switch
      {...described}
      checked={(value ?? schema.default) === true}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}
