import { ForageError } from '../../errors.ts'
import type { LibraryName } from './libraries.ts'
import type { PictureType } from './page/picture-size.ts'
import type { Script } from './page/script.ts'

export interface GivenPicture {
  readonly type?: PictureType
  readonly quality?: number
  readonly background?: string
}

/** JPEG knows no transparency: without a type it is PNG then. */
export function typeOf({ type, background }: GivenPicture): PictureType {
  const isTransparent = background?.trim() === 'transparent'
  if (!isTransparent) return type ?? 'jpeg'
  if (type !== 'jpeg') return type ?? 'png'
  const message = 'cannot be jpeg with a transparent background; png and webp can'
  throw new ForageError('invalid_request', `Not valid in the body: $.type ${message}`, {
    errors: [{ path: '$.type', message, in: 'body' }],
  })
}

interface GivenScript {
  readonly args?: readonly unknown[]
  readonly jquery?: boolean
  readonly lodash?: boolean
  readonly mathjs?: boolean
}

export function scriptOf({ args = [], jquery, lodash, mathjs }: GivenScript, expression: string): Script {
  const libraries: LibraryName[] = []
  if (jquery) libraries.push('$')
  if (lodash) libraries.push('_')
  if (mathjs) libraries.push('mathjs')
  return { expression, args, libraries }
}
