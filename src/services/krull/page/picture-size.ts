export type PictureType = 'png' | 'jpeg' | 'webp'

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** The size that the picture itself says it has. */
export function pictureSize(bytes: Buffer, type: PictureType): PictureSize {
  if (type === 'png') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  return type === 'webp' ? webpSize(bytes) : jpegSize(bytes)
}

function webpSize(bytes: Buffer): PictureSize {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8L') {
    const packed = bytes.readUInt32LE(21)
    return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 }
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
}

/** Goes from one segment to the next until the one that begins a frame (SOF0 to SOF15). */
function jpegSize(bytes: Buffer): PictureSize {
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
  }
  throw new Error('the browser gave a JPEG without a frame')
}
