import { Accordion, Stack } from '@mantine/core'
import { useState } from 'react'
import type { ProblemItem } from '../api/problem.ts'
import { type FormObject, isFields, withField } from '../forms/schema.ts'
import { SchemaForm } from '../forms/schema-form.tsx'
import { type DescribedType, onlyFields, part } from '../settings/type-schemas.ts'

/** What all kinds have in common, and hardly anybody changes. */
const DELIVERY = ['throughput', 'batch', 'batchBytes', 'refusals', 'patience']

interface StoreFieldsProps {
  readonly type: DescribedType
  readonly config: FormObject
  readonly onChange: (config: FormObject) => void
  readonly errors: readonly ProblemItem[]
}

export function StoreFields({ type, config, onChange, errors }: StoreFieldsProps) {
  const [isOpen, setOpen] = useState(false)
  const schema = type.config
  const configuration = part(schema, 'configuration')
  const given = isFields(config.configuration) ? config.configuration : {}
  const setConfiguration = (next: FormObject) => onChange({ ...config, configuration: next })
  const isWrongBelow = errors.some(({ path = '' }) =>
    DELIVERY.some(name => path.startsWith(`$.config.configuration.${name}`)),
  )
  return (
    <Stack gap="sm">
      <SchemaForm
        schema={onlyFields(configuration, name => !DELIVERY.includes(name))}
        value={given}
        onChange={setConfiguration}
        errors={errors}
        path="$.config.configuration"
      />
      <SchemaForm
        schema={onlyFields(schema, name => name === 'credentials')}
        value={config}
        onChange={changed => onChange(withField(schema, config, 'credentials', changed.credentials))}
        errors={errors}
        path="$.config"
      />
      <Accordion
        variant="contained"
        value={isOpen || isWrongBelow ? 'delivery' : null}
        onChange={opened => setOpen(opened !== null)}
      >
        <Accordion.Item value="delivery">
          <Accordion.Control>How rows are delivered</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">
              <SchemaForm
                schema={onlyFields(configuration, name => DELIVERY.includes(name))}
                value={given}
                onChange={setConfiguration}
                errors={errors}
                path="$.config.configuration"
              />
              <SchemaForm
                schema={onlyFields(schema, name => name === 'processors')}
                value={config}
                onChange={changed => onChange(withField(schema, config, 'processors', changed.processors))}
                errors={errors}
                path="$.config"
              />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  )
}
