import { Button, PasswordInput, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { describe } from './describe.tsx'
import type { FieldProps } from './schema.ts'
import { useLines } from './text-field.tsx'

/** Stands for a secret in an answer; sent back, it keeps the secret. */
export const MASK = '********'

/** A secret that is set shows its mask and stays, unless another is typed. */
export function SecretField(props: FieldProps) {
  const { value, onChange, required } = props
  const [isKept] = useState(value === MASK)
  const { several, onPaste } = useLines(props)
  const { placeholder, description, ...described } = describe(props)
  const typed = typeof value === 'string' && value !== MASK ? value : ''
  const common = {
    ...described,
    description: isKept ? (
      <>
        {description} {value === MASK && 'A value is kept; what you type replaces it.'}
      </>
    ) : (
      description
    ),
    placeholder: value === MASK ? MASK : placeholder,
    withAsterisk: required,
    required: required && value !== MASK,
    value: typed,
    autoComplete: 'new-password',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange(event.currentTarget.value || (isKept ? MASK : undefined)),
  }
  return (
    <Stack gap={4} align="stretch">
      {several ? (
        <Textarea
          {...common}
          rows={4}
          spellCheck={false}
          styles={{ input: { WebkitTextSecurity: 'disc' } as object }}
        />
      ) : (
        <PasswordInput {...common} onPaste={onPaste} />
      )}
      {isKept && !required && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange(value === undefined ? MASK : undefined)}
        >
          {value === undefined ? `Keep the ${described.label}` : `Remove the ${described.label}`}
        </Button>
      )}
    </Stack>
  )
}
