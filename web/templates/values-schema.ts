import type { QueryTemplate } from '../api/types.ts'
import type { FormSchema } from '../forms/schema.ts'

/** What a template takes: its own schema, and a text for every parameter that the schema says nothing of. */
export function valuesSchema({
  templateSchema,
  parameters,
}: Pick<QueryTemplate, 'templateSchema' | 'parameters'>): FormSchema {
  const schema = (templateSchema ?? {}) as FormSchema
  const known = schema.properties ?? {}
  const others = parameters.filter(
    ({ name }) => !Object.hasOwn(known, name) && !Object.hasOwn(known, name.split('.')[0]!),
  )
  const properties: Record<string, FormSchema> = { ...known }
  for (const { name } of others) properties[name] = { type: 'string', title: name }
  const asked = parameters.filter(({ name, required }) => required && Object.hasOwn(properties, name))
  const required = [...new Set([...(schema.required ?? []), ...asked.map(({ name }) => name)])]
  return { ...schema, type: 'object', properties, required }
}
