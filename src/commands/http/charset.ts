import { remembered } from './remembered.ts'

/** The text of a body. The charset is that of its byte order mark, its content type or its own first lines. */
export function decodeText(bytes: Uint8Array, contentType = '', onUnknown?: (label: string) => void): string {
  const { charset, isMarkup } = typeOf(contentType)
  const label =
    byteOrderMark(bytes) ??
    charset ??
    (isMarkup || bytes[0] === LESS ? declaredIn(bytes) : undefined) ??
    'utf-8'
  if (label === 'utf-8' && !hasMark(bytes)) return asBuffer(bytes).toString()
  const decoder = decoderFor(label.toLowerCase())
  if (decoder) return decoder.decode(bytes)
  onUnknown?.(label)
  return new TextDecoder().decode(bytes)
}

const hasMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (hasMark(bytes)) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** What a content type says of the text. */
interface TextType {
  readonly charset: string | undefined
  readonly isMarkup: boolean
}

/** The answers of one server have one type, or a few. */
const typeOf = remembered(
  (contentType: string): TextType => ({
    charset: /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1],
    isMarkup: /xml|html/i.test(contentType),
  }),
)

const LESS = 0x3c

/** XML and HTML may say themselves what they are written in. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(1024, bytes.byteLength)).toString(
    'latin1',
  )
  const found =
    /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)/.exec(start) ??
    /<meta[^>]+charset\s*=\s*["']?([^"'\s/>;]+)/i.exec(start)
  return found?.[1]
}

/** Of the charsets that were met: to make one costs more than to decode a small body. Unknown names are not kept. */
const decoders = new Map<string, InstanceType<typeof TextDecoder>>()

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  const known = decoders.get(label)
  if (known) return known
  try {
    const decoder = new TextDecoder(label)
    decoders.set(label, decoder)
    return decoder
  } catch {
    return undefined
  }
}
