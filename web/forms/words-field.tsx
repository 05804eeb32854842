import { TagsInput } from '@mantine/core'
import { describe } from './describe.tsx'
import type { FieldProps } from './schema.ts'

/** Beyond this a text may be a sentence or a stage of a query, in which a comma is no end. */
const SHORT = 1000

/** A list of texts. */
export function WordsField(props: FieldProps) {
  const { schema, value, onChange, required } = props
  const isShort = (schema.items?.maxLength ?? Number.POSITIVE_INFINITY) <= SHORT
  return (
    <TagsInput
      {...describe(props, true)}
      placeholder={isShort ? 'Enter or a comma adds one' : 'Enter adds one'}
      withAsterisk={required}
      splitChars={isShort ? [','] : []}
      allowDuplicates
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={words => onChange(words.length === 0 && !required ? undefined : words)}
    />
  )
}
