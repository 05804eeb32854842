import { ActionIcon, Group, Input, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { AddButton } from './add-button.tsx'
import { describe } from './describe.tsx'
import { type FieldProps, isFields } from './schema.ts'
import { MASK } from './secret-field.tsx'

type Pair = readonly [name: string, value: string]

/** Names with a text each, such as headers. A secret one that is kept shows its mask. */
export function PairsField(props: FieldProps) {
  const { schema, value, onChange, required } = props
  const { placeholder: _, label, ...described } = describe(props, true)
  // Kept here: two rows may have the same name, or none yet, while they are being written.
  const [pairs, setPairs] = useState<readonly Pair[]>(() =>
    isFields(value) ? Object.entries(value).map(([name, text]) => [name, String(text)]) : [],
  )
  const change = (next: readonly Pair[]) => {
    setPairs(next)
    const named = next.filter(([name]) => name !== '')
    onChange(named.length === 0 && !required ? undefined : Object.fromEntries(named))
  }
  const changeAt = (at: number, pair: Pair) => change(pairs.map((old, index) => (index === at ? pair : old)))
  const ValueInput = schema.writeOnly ? PasswordInput : TextInput
  return (
    <Input.Wrapper label={label} labelElement="div" {...described} role="group" aria-label={label}>
      <Stack gap="xs" mt={4}>
        {pairs.map(([name, text], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone
          <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              flex={2}
              aria-label={`${label}: name ${at + 1}`}
              placeholder="Name"
              value={name}
              onChange={event => changeAt(at, [event.currentTarget.value, text])}
            />
            <ValueInput
              flex={3}
              aria-label={`${label}: value ${at + 1}`}
              placeholder={text === MASK ? MASK : 'Value'}
              autoComplete="off"
              value={text === MASK ? '' : text}
              onChange={event => changeAt(at, [name, event.currentTarget.value])}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`${label}: remove ${at + 1}`}
              onClick={() => change(pairs.filter((_, index) => index !== at))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <AddButton label={label} onClick={() => change([...pairs, ['', '']])} />
      </Stack>
    </Input.Wrapper>
  )
}
