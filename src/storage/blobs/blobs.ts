import type { Readable } from 'node:stream'

/** What a blob is made of: bytes at once or as they come. */
export type Content = Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export interface Blob {
  readonly name: string
  readonly bytes: number
}

/** Bytes `start` to `end`, both included, as in an HTTP range. */
export interface Range {
  readonly start: number
  readonly end?: number
}

/**
 * Large things under names: stage files, cellar files, screenshots. A folder implements it; an S3 bucket can. A blob is
 * there as a whole or not at all, and on the disk when the promise resolves. Names are segments of letters, digits,
 * `.`, `-` and `_` between slashes.
 */
export interface Blobs {
  /** Writes a blob; one of this name is replaced. */
  put(name: string, content: Content): Promise<Blob>
  /** Writes a blob named by the SHA-256 of its bytes: `<folder>/<hash>`. The same content is kept once. */
  putHashed(folder: string, content: Content): Promise<Blob & { readonly hash: string }>
  /** Moves in a file that somebody else (DuckDB) wrote to `scratch()`. */
  adopt(file: string, name: string): Promise<Blob>
  /** A local path for a file that is being made; `sweep` takes it away if nobody adopts it. */
  scratch(extension?: string): string
  stat(name: string): Promise<Blob | undefined>
  /** Undefined when there is no such blob. */
  get(name: string, range?: Range): Promise<Readable | undefined>
  /** Where the blob is, if it is a local file. */
  path(name: string): string | undefined
  /** Whether there was one. */
  delete(name: string): Promise<boolean>
  /** All blobs whose name begins with the folder, in no particular order. */
  list(folder?: string): AsyncIterable<Blob>
  /** Removes what unfinished writes left behind before `since`; gives how many. */
  sweep(since: Date): Promise<number>
  close(): Promise<void>
}

const nameForm = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/** Names come from our own code; one that could leave the folder is a mistake there. */
export function requireName(name: string): string {
  if (name.length > 512 || !nameForm.test(name))
    throw new Error(`not a name for a blob: ${JSON.stringify(name)}`)
  return name
}
