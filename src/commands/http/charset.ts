/** The text of a body. The charset is that of its byte order mark, its content type or its own first lines. */
export function decodeText(bytes: Uint8Array, contentType = '', onUnknown?: (label: string) => void): string {
  const label = byteOrderMark(bytes) ?? charsetOf(contentType) ?? declaredIn(bytes, contentType) ?? 'utf-8'
  const decoder = decoderFor(label)
  if (decoder) return decoder.decode(bytes)
  onUnknown?.(label)
  return new TextDecoder().decode(bytes)
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]

/** XML and HTML may say themselves what they are written in. */
function declaredIn(bytes: Uint8Array, contentType: string): string | undefined {
  const isMarkup = /xml|html/i.test(contentType) || bytes[0] === 0x3c
  if (!isMarkup) return undefined
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(1024, bytes.byteLength)).toString(
    'latin1',
  )
  const found =
    /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)/.exec(start) ??
    /<meta[^>]+charset\s*=\s*["']?([^"'\s/>;]+)/i.exec(start)
  return found?.[1]
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}
