/** Screenshots that are kept: images under the SHA-256 of their bytes (api.md, screenshot). */
import Type from 'typebox'

export const ScreenshotHash = Type.String({
  minLength: 64,
  maxLength: 64,
  description: 'SHA-256 of the image, in hexadecimal',
})

export const screenshotMediaTypes = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const
