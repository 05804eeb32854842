/** Screenshots that are kept: images under the SHA-256 of their bytes (api.md, screenshot). */
import Type from 'typebox'
import { Count, fields, listOf, nullable, record, Time, Uuid } from '../fields.ts'

export const ScreenshotHash = Type.String({
  minLength: 64,
  maxLength: 64,
  description: 'SHA-256 of the image, in hexadecimal',
})

export const screenshotMediaTypes = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const

export const ScreenshotRecord = record('Screenshot', {
  hash: ScreenshotHash,
  type: Type.Enum(['png', 'jpeg', 'webp']),
  width: Count,
  height: Count,
  bytes: Count,
  url: Type.String({ description: 'The page that it shows' }),
  createdAt: Time,
  takenAt: Type.String({ format: 'date-time', description: 'When the same image was last taken' }),
  queries: Type.Array(fields({ id: Uuid, stage: nullable(Count) }), {
    description: 'Those that refer to it, the latest first, at most ten',
  }),
})
export const ScreenshotList = listOf('ScreenshotList', ScreenshotRecord)
