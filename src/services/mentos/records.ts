/** Streams (api.md, mentos). */
import Type from 'typebox'
import { Count, FileName, fields, listOf, nullable, record, Time } from '../fields.ts'

export const StreamName = Type.String({ minLength: 1, maxLength: 1000 })
export const StreamFormat = Type.Enum(['ndjson', 'json', 'csv', 'parquet'])

export const StreamRecord = record('Stream', {
  name: StreamName,
  streamConfig: fields({
    store: Type.String(),
    format: nullable(StreamFormat),
    batch: nullable(Count),
    target: nullable(Type.String({ description: "The store's own target: a table, a topic, an object" })),
  }),
  createdAt: Time,
})
export const StreamList = listOf('StreamList', StreamRecord)

/** What a stream is made of. */
export const GivenStream = fields({
  store: FileName,
  format: Type.Optional(StreamFormat),
  batch: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  target: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
})

/** What became of rows that were written to a stream. */
export const StreamWrite = record('StreamWrite', {
  store: Type.String(),
  rows: Count,
  bytes: Count,
  refused: Count,
})
