import { Button, Stack, Textarea } from '@mantine/core'
import type { ProblemItem } from '../api/problem.ts'
import { monospaced } from '../forms/monospaced.ts'
import { schemaFor } from './parameters-in.ts'

const PLACE = '$.templateSchema'

/** What the values may be, as JSON Schema. */
export function SchemaField({
  value,
  onChange,
  parameters,
  errors,
}: {
  readonly value: string
  /** Undefined where it can only be read. */
  readonly onChange: ((value: string) => void) | undefined
  readonly parameters: readonly string[]
  readonly errors: readonly ProblemItem[]
}) {
  const isBlank = value.trim() === ''
  return (
    <Stack gap={6} align="stretch">
      <Textarea
        label="Schema of the values"
        description={
          onChange
            ? 'JSON Schema: titles, types, defaults, bounds. The form for running it is made from this.'
            : 'It is given when a template is made. Duplicate the template to change it.'
        }
        autosize
        minRows={onChange ? 4 : 2}
        maxRows={16}
        spellCheck={false}
        readOnly={!onChange}
        value={value}
        error={schemaError(value, errors)}
        onChange={event => onChange?.(event.currentTarget.value)}
        styles={{ ...monospaced, error: { whiteSpace: 'pre-line' } }}
      />
      {onChange && isBlank && parameters.length > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange(schemaFor(parameters))}
        >
          Begin with the parameters
        </Button>
      )}
    </Stack>
  )
}

/** What is wrong with it, each place with its reason. */
function schemaError(text: string, errors: readonly ProblemItem[]): string | undefined {
  if (text.trim() === '') return undefined
  const reason = jsonError(text)
  if (reason) return reason
  const own = errors.filter(({ path }) => path?.startsWith(PLACE))
  const words = own.map(({ path, message }) => `${path!.slice(PLACE.length + 1) || 'It'} ${message}`)
  return words.length > 0 ? words.join('\n') : undefined
}

export function jsonError(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `Not JSON yet: ${(error as Error).message}`
  }
}
