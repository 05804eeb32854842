import { crc32, deflateRawSync } from 'node:zlib'

// The first of January 1980, midnight: the earliest that the format knows, so that the archive is the same each time.
const DOS_DATE = 0x0021
const VERSION = 20
const UTF8_NAMES = 0x0800
const DEFLATED = 8

/** A ZIP archive of a few small files. */
export function zip(files: Record<string, string | Buffer>): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, given] of Object.entries(files)) {
    const content = typeof given === 'string' ? Buffer.from(given) : given
    const packed = deflateRawSync(content)
    const fields = fieldsOf(name, content, packed)
    const local = Buffer.concat([signature(0x04034b50), fields, Buffer.from(name), packed])
    bodies.push(local)
    directory.push(directoryEntry(fields, name, offset))
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  return Buffer.concat([...bodies, entries, trailer(directory.length, entries.length, offset)])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** What a file's own header and its entry in the directory have in common. */
function fieldsOf(name: string, content: Buffer, packed: Buffer): Buffer {
  const bytes = Buffer.alloc(26)
  bytes.writeUInt16LE(VERSION, 0)
  bytes.writeUInt16LE(UTF8_NAMES, 2)
  bytes.writeUInt16LE(DEFLATED, 4)
  bytes.writeUInt16LE(DOS_DATE, 8)
  bytes.writeUInt32LE(crc32(content), 10)
  bytes.writeUInt32LE(packed.length, 14)
  bytes.writeUInt32LE(content.length, 18)
  bytes.writeUInt16LE(Buffer.byteLength(name), 22)
  return bytes
}

function directoryEntry(fields: Buffer, name: string, offset: number): Buffer {
  const madeBy = Buffer.alloc(2)
  madeBy.writeUInt16LE(VERSION)
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(offset, 10)
  return Buffer.concat([signature(0x02014b50), madeBy, fields, rest, Buffer.from(name)])
}

function trailer(count: number, size: number, offset: number): Buffer {
  const bytes = Buffer.alloc(22)
  bytes.writeUInt32LE(0x06054b50, 0)
  bytes.writeUInt16LE(count, 8)
  bytes.writeUInt16LE(count, 10)
  bytes.writeUInt32LE(size, 12)
  bytes.writeUInt32LE(offset, 16)
  return bytes
}
