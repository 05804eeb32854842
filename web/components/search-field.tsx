import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

/** Tells what is searched for once the typing pauses. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const [text, setText] = useState(value)
  const tell = useDebouncedCallback(onChange, 250)
  useEffect(() => setText(value), [value])
  const change = (next: string) => {
    setText(next)
    tell(next)
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={1000}
      leftSection={<IconSearch size={16} />}
      rightSection={
        text === '' ? null : <CloseButton aria-label="Clear the search" onClick={() => change('')} />
      }
      onChange={event => change(event.currentTarget.value)}
      style={{ flex: '1 1 220px', maxWidth: 420 }}
    />
  )
}
