import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { All, TypeSchema } from '../api/types.ts'
import type { FormSchema } from '../forms/schema.ts'

/** A kind of store or credential, as the server describes it for forms. */
export interface DescribedType {
  readonly type: string
  readonly title: string
  /** What it is, in paragraphs. */
  readonly help: string
  /** Of `config` in the body that is sent. */
  readonly config: FormSchema
}

/** The kinds that this server offers; they do not change while it runs. */
export function useTypes(path: string): UseQueryResult<readonly DescribedType[]> {
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.get<All<TypeSchema>>(path, { signal }),
    select: described,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const described = ({ items }: All<TypeSchema>): readonly DescribedType[] =>
  items.map(({ type, title, schema }) => {
    const body = schema as FormSchema
    return { type, title, help: body.description ?? '', config: body.properties?.config ?? {} }
  })

export const part = (schema: FormSchema, name: string): FormSchema => schema.properties?.[name] ?? {}

/** The same schema with only those fields. */
export const onlyFields = (schema: FormSchema, keep: (name: string) => boolean): FormSchema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => keep(name))),
})
