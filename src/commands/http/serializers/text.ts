import { decodeText } from '../charset.ts'
import { rowsOf, type Serializer, type Source } from './content.ts'

/** The text of a body, told about if its charset is one that nobody knows. */
export const textIn = ({ bytes, type, context }: Source): string =>
  decodeText(bytes, type, label =>
    context.warn('unknown_charset', `The charset ${label} is not known, so the answer was read as UTF-8.`),
  )

export const text: Serializer = source => rowsOf([{ text: textIn(source) }])

export const html: Serializer = source => rowsOf([{ html: textIn(source) }])

export const binary: Serializer = ({ bytes }) => rowsOf([{ base64: bytes.toString('base64') }])
