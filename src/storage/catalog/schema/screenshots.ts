import type { Time } from './values.ts'

/** The images themselves are blobs of the same name. */
export interface ScreenshotTable {
  /** SHA-256 of the image, in hexadecimal. */
  hash: string
  type: 'png' | 'jpeg' | 'webp'
  width: number
  height: number
  bytes: number
  url: string
  created_at: Time
  /** When the same image was last taken: from then on it lives for a while without anybody referring to it. */
  taken_at: Time
}

export interface QueryScreenshotTable {
  query_id: string
  /** -1 when it was taken outside of a stage. */
  stage: number
  hash: string
  url: string
  at: Time
}

export interface ManifestScreenshotTable {
  manifest: string
  hash: string
}
