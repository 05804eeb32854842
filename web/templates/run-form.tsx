import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import type { Plan, QueryRecord, QueryTemplate } from '../api/types.ts'
import { FormModal } from '../components/form-modal.tsx'
import { blankOf, type FormObject } from '../forms/schema.ts'
import { SchemaForm } from '../forms/schema-form.tsx'
import { TEMPLATES } from './actions.ts'
import { PlanPreview } from './plan-preview.tsx'
import { valuesSchema } from './values-schema.ts'

/** Asks for the values of a template, shows what they make of it, and runs it. */
export function RunForm({
  template,
  onClose,
}: {
  readonly template: QueryTemplate
  readonly onClose: () => void
}) {
  const [, navigate] = useLocation()
  const schema = valuesSchema(template)
  const [values, setValues] = useState<FormObject>(() => blankOf(schema))
  const [settled] = useDebouncedValue(values, 300)
  const preview = useQuery({
    queryKey: ['templates', 'preview', template.id, template.updatedAt, settled],
    queryFn: () => api.post<Plan>(`${TEMPLATES}/parse`, { query: template.id, values: settled }),
    placeholderData: keepPreviousData,
  })
  const run = async () => {
    const { id } = await api.post<QueryRecord>(
      `${TEMPLATES}/dispatch`,
      { query: template.id, values },
      { headers: { prefer: 'respond-async' } },
    )
    navigate(`/queries/${id}`)
  }
  const wrongValues = preview.error instanceof Problem ? preview.error.errors : []
  const isAsking = Object.keys(schema.properties ?? {}).length > 0
  return (
    <FormModal title={`Run ${template.name}`} action="Run" size="xl" onSubmit={run} onClose={onClose}>
      {errors => (
        <>
          <Text size="sm" c="dimmed">
            {template.description}
          </Text>
          {isAsking ? (
            <SchemaForm
              schema={schema}
              value={values}
              onChange={setValues}
              errors={errors.length > 0 ? errors : wrongValues}
              path="$.values"
            />
          ) : (
            <Text size="sm">This template has no parameters.</Text>
          )}
          <PlanPreview plan={preview.data} error={preview.error} />
        </>
      )}
    </FormModal>
  )
}
