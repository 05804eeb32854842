import { Button, Fieldset, Group, Input, Stack } from '@mantine/core'
import { AddButton } from './add-button.tsx'
import { describe } from './describe.tsx'
import { ObjectFields } from './object-fields.tsx'
import { blankOf, type FieldProps, isFields } from './schema.ts'

/** The fields of an object within the form. */
export function GroupField(props: FieldProps) {
  const { schema, value, onChange, path, errors } = props
  const { label, description, error } = describe(props)
  if (Object.keys(schema.properties ?? {}).length === 0) return null
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        {description && <Input.Description>{description}</Input.Description>}
        {error && <Input.Error>{error}</Input.Error>}
        <ObjectFields
          schema={schema}
          value={isFields(value) ? value : undefined}
          onChange={onChange}
          path={path}
          errors={errors}
        />
      </Stack>
    </Fieldset>
  )
}

/** A list of objects: a group of fields for each. */
export function GroupsField(props: FieldProps) {
  const { schema, value, onChange, required, path, errors } = props
  const { label, description, error } = describe(props)
  const items = schema.items ?? {}
  const list = Array.isArray(value) ? value : []
  const change = (next: typeof list) => onChange(next.length === 0 && !required ? undefined : next)
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        {description && <Input.Description>{description}</Input.Description>}
        {error && <Input.Error>{error}</Input.Error>}
        {list.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group is known by its place alone
          <Fieldset key={at} legend={`${label} ${at + 1}`}>
            <Stack gap="sm">
              <ObjectFields
                schema={items}
                value={isFields(item) ? item : undefined}
                onChange={changed => change(list.map((old, index) => (index === at ? changed : old)))}
                path={`${path}[${at}]`}
                errors={errors}
              />
              <Group justify="flex-end">
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  onClick={() => change(list.filter((_, index) => index !== at))}
                >
                  Remove {label} {at + 1}
                </Button>
              </Group>
            </Stack>
          </Fieldset>
        ))}
        <AddButton label={label} onClick={() => change([...list, blankOf(items)])} />
      </Stack>
    </Fieldset>
  )
}
