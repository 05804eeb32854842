import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Type from 'typebox'
import { systemCode } from '../fault.ts'
import { prepareFolder, safePath } from './shared/safe-path.ts'
import {
  choice,
  type DeliveryTarget,
  type FileFormat,
  type FileWriter,
  type StoreConfig,
  type StoreContext,
  StoreError,
  type StoreType,
  storeSchema,
  text,
} from './store.ts'

const ENDINGS: readonly FileFormat[] = ['ndjson', 'json', 'csv', 'parquet']

const store: StoreType = {
  type: 'localFile',
  title: 'Files on this machine',
  help: [
    'Each delivery is one file below `folder`, which lies below `FORAGE_FILES`; without that setting the kind is off. It is written under another name, synced, and renamed when it is whole.',
    'With `--mode append`, the default, deliveries lie beside each other in a folder: `NAME/<query id>.<stage>.ndjson`. With `--mode overwrite` there is one file, `NAME.ndjson`, which the new one replaces. The format is that of `--format`, else that of the store, else ndjson.',
    '`thaw NAME --store …` reads the file NAME, with or without its ending, or all files of the folder NAME, the oldest first; without NAME those of `folder` itself. What a file is, is told by what is in it.',
  ].join('\n\n'),
  guarantee:
    'Exactly once: a file is there whole or not at all, and a delivery that is taken up again writes the same file.',
  schema: storeSchema(
    {
      folder: Type.Optional(text('The folder, below FORAGE_FILES; by default that folder itself')),
      format: Type.Optional(choice(['ndjson', 'json', 'csv', 'parquet'], 'How rows are written', 'ndjson')),
    },
    {},
  ),
  check: async (config, context) => {
    const folder = await folderOf(config, context)
    await mkdir(folder, { recursive: true })
    try {
      await access(folder, constants.W_OK | constants.X_OK)
    } catch (cause) {
      throw new StoreError('not_writable', `Files cannot be written to ${folderName(config)}.`, { cause })
    }
  },
  open: async (config, target, context) => {
    const format = formatOf(config, target)
    const file = await prepareFolder(context, pathOf(config, target, format))
    return new LocalFile(file, format, target.signal)
  },
  read: async (config, name, context, signal) => ({
    kind: 'files',
    files: opened(await filesOf(config, name, context), signal),
  }),
}
export default store

class LocalFile implements FileWriter {
  readonly kind = 'file'
  readonly format: FileFormat
  readonly #file: string
  readonly #part: string
  readonly #signal: AbortSignal

  constructor(file: string, format: FileFormat, signal: AbortSignal) {
    this.#file = file
    this.#part = join(dirname(file), `.${basename(file)}.part`)
    this.format = format
    this.#signal = signal
  }

  async put(content: Readable): Promise<void> {
    try {
      const handle = await open(this.#part, 'w', 0o644)
      await pipeline(content, handle.createWriteStream({ flush: true }), { signal: this.#signal })
      await rename(this.#part, this.#file)
      await syncFolder(dirname(this.#file))
    } catch (error) {
      await rm(this.#part, { force: true })
      throw diskFailure(error)
    }
  }

  async close(): Promise<void> {}
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A full disk may have room again soon; whatever else the disk says stays so. */
function diskFailure(error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error
  const retryable = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EMFILE'
  return new StoreError('not_writable', `The file cannot be written: ${(error as Error).message}.`, {
    retryable,
    cause: error,
  })
}

const folderName = ({ configuration }: StoreConfig): string =>
  (configuration.folder as string | undefined) ?? '.'

/** The folder of FORAGE_FILES itself is a folder that files may lie in, though it does not lie below itself. */
const folderOf = async (config: StoreConfig, context: StoreContext): Promise<string> =>
  dirname(await safePath(context, join(folderName(config), 'x')))

const formatOf = ({ configuration }: StoreConfig, { format }: DeliveryTarget): FileFormat =>
  ((format === 'row' ? undefined : format) ?? configuration.format ?? 'ndjson') as FileFormat

function pathOf(config: StoreConfig, target: DeliveryTarget, format: FileFormat): string {
  const { name, mode, id } = target
  const folder = folderName(config)
  if (mode === 'append') return join(folder, plain(name ?? ''), `${plain(id)}.${format}`)
  if (name === undefined)
    throw new StoreError('no_target', 'Name the file that is to be replaced: `freeze NAME --store …`.')
  return join(folder, extname(name) === `.${format}` ? plain(name) : `${plain(name)}.${format}`)
}

/** A name is one name: what it says of folders is no part of a path. */
function plain(name: string): string {
  if (name === '..' || name === '.' || /[/\\\0]/.test(name))
    throw new StoreError('path_refused', `${name.slice(0, 200)} is not a name for a file.`)
  return name
}

/** A file by its name, with or without its ending, or all files of a folder, the oldest first. */
async function filesOf(
  config: StoreConfig,
  name: string | undefined,
  context: StoreContext,
): Promise<string[]> {
  const folder = await folderOf(config, context)
  const base = name === undefined ? folder : join(folder, plain(name))
  for (const path of [base, ...ENDINGS.map(ending => `${base}.${ending}`)]) {
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile()) return [await safePath(context, path)]
    if (found?.isDirectory()) return filesIn(await safePath(context, join(path, 'x')), context)
  }
  throw new StoreError('not_found', `There is no file or folder ${name ?? ''} in ${folderName(config)}.`)
}

async function filesIn(inside: string, context: StoreContext): Promise<string[]> {
  const folder = dirname(inside)
  const names = (await readdir(folder)).filter(
    name => !name.startsWith('.') && ENDINGS.some(ending => name.endsWith(`.${ending}`)),
  )
  const files = await Promise.all(
    names.map(async name => {
      const path = await safePath(context, join(folder, name))
      return { path, time: (await stat(path)).mtimeMs }
    }),
  )
  return files.sort((a, b) => a.time - b.time || (a.path < b.path ? -1 : 1)).map(({ path }) => path)
}

async function* opened(paths: readonly string[], signal: AbortSignal): AsyncGenerator<Readable> {
  for (const path of paths) yield createReadStream(path, { signal })
}
