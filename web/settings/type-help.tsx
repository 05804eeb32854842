import { Spoiler } from '@mantine/core'
import { Prose } from '../components/prose.tsx'

/** What a kind is: the beginning at once, the rest on demand. */
export function TypeHelp({ text }: { readonly text: string }) {
  return (
    <Spoiler
      maxHeight={66}
      showLabel="Read on"
      hideLabel="Show less"
      styles={{ control: { fontSize: 'var(--mantine-font-size-sm)' } }}
    >
      <Prose text={text} />
    </Spoiler>
  )
}
