/** Cellar files and manifests (api.md, Cellar). */
import Type from 'typebox'
import { Column, Count, FileName, FreeObject, fields, listOf, nullable, record, Time } from '../fields.ts'
import { manifestTypes } from '../store-types.ts'

export const CellarFile = record('CellarFile', {
  name: FileName,
  format: Type.Enum(['json', 'ndjson', 'csv', 'parquet']),
  bytes: Count,
  rows: nullable(Count),
  columns: nullable(Type.Array(Column)),
  createdAt: Time,
  updatedAt: Time,
})
export const CellarFileList = listOf('CellarFileList', CellarFile)

/** `[hash]` or `[hash, stage]`: a screenshot that stays alive. */
export const ScreenshotReference = Type.Array(Type.Unknown(), { minItems: 1, maxItems: 2 })

export const CellarManifest = record('CellarManifest', {
  name: FileName,
  store: FileName,
  type: Type.Enum([...manifestTypes]),
  screenshots: Type.Array(ScreenshotReference),
  attributesContext: nullable(FreeObject),
  touchedAt: nullable(Time),
  deliveries: Count,
  rows: Count,
  bytes: Count,
  errors: fields({ count: Count, at: nullable(Time), message: nullable(Type.String()) }),
})
export const CellarManifestList = listOf('CellarManifestList', CellarManifest)
