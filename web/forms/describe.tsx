import type { ReactNode } from 'react'
import { stringifyJson } from '../../src/language/json.ts'
import { Help } from '../components/prose.tsx'
import { errorAt, type FieldProps, labelOf } from './schema.ts'

interface Described {
  readonly label: string
  readonly description: ReactNode
  readonly error: string | undefined
  readonly placeholder: string
}

/** What all fields have in common: the label, the help below it, and what was wrong. */
export function describe({ name, schema, path, errors }: FieldProps, inside = false): Described {
  const label = labelOf(name, schema)
  const { description = '' } = schema
  const example = schema.default ?? schema.examples?.[0]
  return {
    label,
    // "The method" says no more than the label.
    description: description !== '' && description.toLowerCase() !== `the ${label.toLowerCase()}` && (
      <Help text={description} />
    ),
    error: errorAt(errors, path, inside),
    placeholder: example === undefined ? '' : typeof example === 'string' ? example : stringifyJson(example),
  }
}
