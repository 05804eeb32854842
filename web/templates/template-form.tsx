import { Badge, Group, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, segment } from '../api/client.ts'
import type { QueryTemplate } from '../api/types.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { QueryField } from '../components/query-field.tsx'
import { entry } from '../forms/entry.ts'
import { errorAt } from '../forms/schema.ts'
import { refreshTemplates, TEMPLATES } from './actions.ts'
import { parametersIn } from './parameters-in.ts'
import { jsonError, SchemaField } from './schema-field.tsx'

/** Makes a template, or changes the one with an id. */
export function TemplateForm({
  template,
  onClose,
}: {
  readonly template: Partial<QueryTemplate>
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const isNew = template.id === undefined
  const [name, setName] = useState(template.name ?? '')
  const [description, setDescription] = useState(template.description ?? '')
  const [query, setQuery] = useState(template.query ?? '')
  const [schema, setSchema] = useState(
    template.templateSchema ? JSON.stringify(template.templateSchema, null, 2) : '',
  )
  const parameters = parametersIn(query)

  const save = async () => {
    if (isNew) {
      const wrong = schema.trim() === '' ? undefined : jsonError(schema)
      if (wrong)
        throw new Error(`The schema of the values is ${wrong.charAt(0).toLowerCase()}${wrong.slice(1)}`)
      const given = schema.trim() === '' ? {} : { templateSchema: JSON.parse(schema) as unknown }
      await api.post(TEMPLATES, { name, description, query, ...given })
    } else await api.put(`${TEMPLATES}/${segment(template.id!)}`, { name, description, query })
    await refreshTemplates(client)
    showDone(isNew ? 'The template is made.' : 'The template is changed.')
  }

  return (
    <FormModal
      title={isNew ? 'New template' : 'Change the template'}
      action={isNew ? 'Make the template' : 'Save'}
      size="xl"
      onSubmit={save}
      onClose={onClose}
    >
      {errors => (
        <>
          <TextInput
            label="Name"
            required
            data-autofocus
            maxLength={1000}
            {...entry(name, setName, errorAt(errors, '$.name'))}
          />
          <Textarea
            label="Description"
            description="What it gives, and what for"
            required
            autosize
            minRows={1}
            maxRows={6}
            {...entry(description, setDescription, errorAt(errors, '$.description'))}
          />
          <QueryField
            value={query}
            onChange={setQuery}
            errors={errors}
            description="Where a value is asked for at each run, write $template.name$ in its place."
            isTemplate
          />
          <Parameters names={parameters} />
          {(isNew || template.templateSchema) && (
            <SchemaField
              value={schema}
              onChange={isNew ? setSchema : undefined}
              parameters={parameters}
              errors={errors}
            />
          )}
        </>
      )}
    </FormModal>
  )
}

function Parameters({ names }: { readonly names: readonly string[] }) {
  return (
    <Group gap={6} role="status">
      <Text size="sm" c="dimmed">
        {names.length === 0 ? 'It has no parameters: it runs as it is.' : 'Parameters:'}
      </Text>
      {names.map(name => (
        <Badge key={name} variant="light" tt="none" ff="monospace" fw={500}>
          {name}
        </Badge>
      ))}
    </Group>
  )
}
