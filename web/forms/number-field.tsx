import { NumberInput } from '@mantine/core'
import { describe } from './describe.tsx'
import { type FieldProps, typeOf } from './schema.ts'

export function NumberField(props: FieldProps) {
  const { schema, value, onChange, required } = props
  return (
    <NumberInput
      {...describe(props)}
      required={required}
      value={typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''}
      onChange={given => onChange(given === '' ? undefined : numberOf(given))}
      allowDecimal={typeOf(schema) !== 'integer'}
      clampBehavior="none"
      {...(schema.minimum !== undefined && { min: schema.minimum })}
      {...(schema.maximum !== undefined && { max: schema.maximum })}
    />
  )
}

/** Mantine hands over as text what a double cannot hold. */
function numberOf(given: number | string): number | bigint {
  if (typeof given === 'number') return given
  const value = Number(given)
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(given) ? value : BigInt(given)
}
