import { createGunzip } from 'node:zlib'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { tooLarge } from '../../network/body.ts'
import { NetworkError } from '../../network/errors.ts'
import { CommandFailure } from '../failure.ts'

export interface ArchiveFile {
  readonly name: string
  readonly bytes: Buffer
}

/** How many unpacked bytes are still allowed: shared by all files, and by archives inside archives. */
export interface Budget {
  left: number
  readonly maxBytes: number
}

const MOST_FILES = 10_000

export const isZip = (bytes: Buffer): boolean => bytes.length > 3 && bytes.readUInt32LE(0) === 0x04034b50
export const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** The files of a ZIP archive, one after another, each unpacked by the bytes that come and not by what it claims. */
export async function* unzip(bytes: Buffer, budget: Budget): AsyncGenerator<ArchiveFile> {
  const zip = await opened(bytes)
  if (zip.entryCount > MOST_FILES)
    throw new CommandFailure('too_many_files', `The archive has more than ${MOST_FILES} files.`)
  for (;;) {
    const entry = await nextEntry(zip)
    if (!entry) return
    if (entry.fileName.endsWith('/')) continue
    yield { name: entry.fileName, bytes: await collected(await contentOf(zip, entry), budget) }
  }
}

/** A GZIP file, which may hold several members: they are one file. */
export async function gunzip(bytes: Buffer, name: string, budget: Budget): Promise<ArchiveFile> {
  const unpacking = createGunzip()
  unpacking.end(bytes)
  return {
    name: storedName(bytes) ?? name.replace(/\.(?:gz|gzip)$/i, ''),
    bytes: await collected(unpacking, budget),
  }
}

const FLAG_EXTRA = 4
const FLAG_NAME = 8

/** The name that the file had before it was packed, where the header says it. */
function storedName(bytes: Buffer): string | undefined {
  const flags = bytes[3] ?? 0
  if (!(flags & FLAG_NAME) || bytes.length < 12) return undefined
  const start = flags & FLAG_EXTRA ? 12 + bytes.readUInt16LE(10) : 10
  const end = bytes.indexOf(0, start)
  const name = end < 0 ? '' : bytes.toString('latin1', start, end)
  return name === '' ? undefined : name
}

async function collected(stream: AsyncIterable<Buffer>, budget: Budget): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of stream) {
      budget.left -= chunk.length
      if (budget.left < 0) throw tooLarge(budget.maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof NetworkError ? error : broken(error)
  }
  return Buffer.concat(chunks)
}

const opened = (bytes: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error ? reject(broken(error)) : resolve(zip),
    )
  })

const nextEntry = (zip: ZipFile): Promise<Entry | undefined> =>
  new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      zip.removeAllListeners()
      then()
    }
    zip.once('entry', (entry: Entry) => settle(() => resolve(entry)))
    zip.once('end', () => settle(() => resolve(undefined)))
    zip.once('error', error => settle(() => reject(broken(error))))
    zip.readEntry()
  })

const contentOf = (zip: ZipFile, entry: Entry): Promise<NodeJS.ReadableStream & AsyncIterable<Buffer>> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(broken(error)) : resolve(stream)))
  })

const broken = (error: unknown): CommandFailure =>
  new CommandFailure(
    'bad_archive',
    `The archive cannot be unpacked: ${error instanceof Error ? error.message : 'it is broken'}.`,
    { hint: '--serializer binary takes it as it is.' },
  )
