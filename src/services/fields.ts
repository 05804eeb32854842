/** Field schemas that the records of several services share. */
import Type, { type TObject, type TProperties, type TSchema } from 'typebox'

/** A record with a name of its own in the OpenAPI document, and no other fields than these. */
export const record = <P extends TProperties>($id: string, properties: P, description?: string): TObject<P> =>
  Type.Object(properties, { $id, additionalProperties: false, ...(description && { description }) })

/** Fields without a name of their own, and no others than these. */
export const fields = <P extends TProperties>(properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: false })

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const Time = Type.String({ format: 'date-time', description: 'ISO 8601 in UTC' })
export const Milliseconds = Type.Number({ minimum: 0 })
export const Count = Type.Integer({ minimum: 0 })
export const FreeObject = Type.Record(Type.String(), Type.Unknown())

/** A UUID as RFC 4122 writes it, in either case. */
export const Uuid = Type.String({ format: 'uuid' })

/** The names of cellar files, manifests and stores. */
export const FILE_NAME = '^[A-Za-z0-9-_. ]+$'
export const FileName = Type.String({ minLength: 1, maxLength: 1000, pattern: FILE_NAME })

export const Column = record('Column', {
  name: Type.String(),
  type: Type.String({ description: 'text, number, integer, boolean, time, date or json' }),
})

/** What a query failed of. */
export const QueryError = record('QueryError', {
  code: Type.String(),
  message: Type.String(),
  stage: Type.Optional(nullable(Count)),
  line: Type.Optional(nullable(Type.Integer())),
  column: Type.Optional(nullable(Type.Integer())),
  hint: Type.Optional(nullable(Type.String())),
  sample: Type.Optional(Type.Unknown({ description: 'The row or the piece of an answer that it failed on' })),
})

/** The page of a list: `{ items, total, offset, limit }`. */
export const listOf = <T extends TSchema>($id: string, item: T) =>
  record($id, {
    items: Type.Array(item),
    total: Count,
    offset: Count,
    limit: Count,
  })

/** Everything at once, where there is never much: `{ items }`. */
export const allOf = <T extends TSchema>($id: string, item: T) => record($id, { items: Type.Array(item) })
