import { Duplex, pipeline, type Readable, Transform, type TransformCallback } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { NetworkError } from './errors.ts'

/** What `Accept-Encoding` offers: all that `unpack` can undo. */
export const acceptEncoding = 'gzip, deflate, br, zstd'
const mostLayers = 3

/**
 * The bytes of a body, unpacked and counted as they pass. Past `maxBytes` it fails with `too_large`, so a few packed
 * bytes cannot become gigabytes. `toError` names whatever else breaks.
 */
export function unpack(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
  toError: (error: unknown) => unknown,
): Readable {
  const layers = decoders(encoding)
  const limit = new ByteLimit(maxBytes, toError)
  // The end is told by the last stream itself: `toError` has already named what the callback would get.
  pipeline([body, ...layers, limit], () => {})
  return limit
}

export async function gather(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

export const tooLarge = (maxBytes: number): NetworkError =>
  new NetworkError(
    'too_large',
    `The answer is larger than ${maxBytes} bytes (unpacked). Raise --maxBytes to take it.`,
  )

class ByteLimit extends Transform {
  #left: number
  readonly #maxBytes: number
  readonly #toError: (error: unknown) => unknown

  constructor(maxBytes: number, toError: (error: unknown) => unknown) {
    super()
    this.#left = maxBytes
    this.#maxBytes = maxBytes
    this.#toError = toError
  }

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    this.#left -= chunk.length
    if (this.#left < 0) callback(tooLarge(this.#maxBytes))
    else callback(null, chunk)
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    callback(error && (this.#toError(error) as Error))
  }
}

function decoders(encoding: string | undefined): Duplex[] {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '' && name !== 'identity')
  if (names.length > mostLayers)
    throw new NetworkError('bad_response', `The answer is packed ${names.length} times over.`, {
      final: true,
    })
  return names.reverse().map(decoder)
}

function decoder(name: string): Duplex {
  if (name === 'gzip' || name === 'x-gzip') return createGunzip()
  if (name === 'deflate') return inflate()
  if (name === 'br') return createBrotliDecompress()
  if (name === 'zstd') return createZstdDecompress()
  throw new NetworkError('bad_response', 'The answer is packed in a way that is not known here.', {
    final: true,
  })
}

/** `deflate` is zlib by the standard and bare deflate from some servers; the first byte tells. */
const inflate = () =>
  Duplex.from(async function* (source: AsyncIterable<Buffer>) {
    const chunks = source[Symbol.asyncIterator]()
    const first = await chunks.next()
    if (first.done) return
    const isZlib = (first.value[0]! & 0x0f) === 8
    const packed = async function* () {
      yield first.value
      yield* { [Symbol.asyncIterator]: () => chunks }
    }
    yield* pipeline(packed, isZlib ? createInflate() : createInflateRaw(), () => {})
  })
