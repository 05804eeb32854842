import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { Fault, systemCode } from '../../fault.ts'
import { diskFull } from '../disk-full.ts'
import { type Blob, type Blobs, type Content, type Range, requireName } from './blobs.ts'

/** Blobs as files: written to `.part/`, synced, renamed into place, the folder synced. */
export function openFolderBlobs(root: string): Blobs {
  mkdirSync(join(root, partFolder), { recursive: true, mode: 0o700 })
  return new FolderBlobs(root)
}

const partFolder = '.part'

class FolderBlobs implements Blobs {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  async put(name: string, content: Content): Promise<Blob> {
    requireName(name)
    const part = this.scratch()
    const { bytes } = await this.#write(part, content)
    await this.#place(part, name)
    return { name, bytes }
  }

  async putHashed(folder: string, content: Content) {
    requireName(folder)
    const part = this.scratch()
    const { bytes, hash } = await this.#write(part, content)
    const name = `${folder}/${hash}`
    if ((await this.stat(name))?.bytes === bytes) await rm(part)
    else await this.#place(part, name)
    return { name, bytes, hash }
  }

  async adopt(file: string, name: string): Promise<Blob> {
    requireName(name)
    const bytes = await this.#faults(file, async () => {
      await using handle = await open(file, 'r')
      await handle.sync()
      return (await handle.stat()).size
    })
    await this.#place(file, name)
    return { name, bytes }
  }

  scratch(extension = ''): string {
    return join(this.#root, partFolder, `${randomUUID()}${extension}`)
  }

  async stat(name: string): Promise<Blob | undefined> {
    const found = await stat(this.#file(name)).catch(absent)
    return found?.isFile() ? { name, bytes: found.size } : undefined
  }

  async get(name: string, range?: Range): Promise<Readable | undefined> {
    const handle = await open(this.#file(name), 'r').catch(absent)
    if (handle === undefined) return undefined
    return createReadStream('', { fd: handle, ...range })
  }

  path(name: string): string {
    return this.#file(name)
  }

  async delete(name: string): Promise<boolean> {
    const file = this.#file(name)
    if (!existsSync(file)) return false
    await rm(file, { force: true })
    return true
  }

  async *list(folder?: string): AsyncIterable<Blob> {
    const top = folder === undefined ? this.#root : this.#file(folder)
    const entries = await readdir(top, { withFileTypes: true, recursive: true }).catch(absent)
    for (const entry of entries ?? []) {
      const name = relative(this.#root, join(entry.parentPath, entry.name)).split(sep).join('/')
      if (!entry.isFile() || name.startsWith(`${partFolder}/`)) continue
      const found = await this.stat(name)
      if (found !== undefined) yield found
    }
  }

  async sweep(since: Date): Promise<number> {
    const parts = join(this.#root, partFolder)
    let removed = 0
    for (const entry of await readdir(parts)) {
      const found = await stat(join(parts, entry)).catch(absent)
      if (found === undefined || found.mtime >= since) continue
      await rm(join(parts, entry), { recursive: true, force: true })
      removed++
    }
    return removed
  }

  async close(): Promise<void> {}

  #file(name: string): string {
    return join(this.#root, requireName(name))
  }

  /** Writes and syncs; what was begun is removed when it fails. */
  async #write(part: string, content: Content): Promise<{ bytes: number; hash: string }> {
    const digest = createHash('sha256')
    let bytes = 0
    await this.#faults(part, async () => {
      try {
        await using handle = await open(part, 'wx', 0o600)
        for await (const chunk of content instanceof Uint8Array ? [content] : content) {
          digest.update(chunk)
          bytes += chunk.byteLength
          await writeAll(handle, chunk)
        }
        await handle.sync()
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    })
    return { bytes, hash: digest.digest('hex') }
  }

  async #place(part: string, name: string): Promise<void> {
    const target = this.#file(name)
    await this.#faults(target, async () => {
      const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await rename(part, target)
      await syncFolder(dirname(target))
      // A folder that was made just now is itself an entry that has to be on the disk.
      if (made !== undefined) await syncFolder(dirname(made))
    })
  }

  async #faults<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const code = systemCode(error)
      if (code === 'ENOSPC' || code === 'EDQUOT') throw diskFull(path, { cause: error })
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
        throw new Fault(
          'folder_unusable',
          `${path} cannot be written (${code})`,
          'Give the user that runs Forage the right to write in the data folder.',
          { cause: error },
        )
      throw error
    }
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0
  while (written < chunk.byteLength) written += (await handle.write(chunk, written)).bytesWritten
}

async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}

function absent(error: unknown): undefined {
  const code = systemCode(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
}
