import { lstat, mkdir, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { systemCode } from '../../fault.ts'
import { type StoreContext, StoreError } from '../store.ts'

/**
 * Where a store's file really lies. Every link on the way is resolved first: it must end below `FORAGE_FILES` and
 * outside of the data folder, whatever the path says.
 */
export async function safePath(
  { files, dataFolder }: Pick<StoreContext, 'files' | 'dataFolder'>,
  path: string,
): Promise<string> {
  if (files === undefined)
    throw new StoreError(
      'no_files_folder',
      'No folder is set that files may be written to. Set FORAGE_FILES to one and start Forage again.',
    )
  if (path.includes('\0')) throw outside(path)
  const root = await folderItself(files)
  const wanted = resolve(root, path)
  if (!isBelow(root, wanted)) throw outside(path)
  const real = await resolved(wanted)
  if (!isBelow(root, real)) throw outside(path)
  const data = await resolved(resolve(dataFolder))
  if (real === data || isBelow(data, real))
    throw new StoreError(
      'path_refused',
      `${path} lies in Forage's own data folder, which no store may touch.`,
    )
  return real
}

/** Makes the folders above a file; what is made has been checked, since links are resolved again afterwards. */
export async function prepareFolder(
  context: Pick<StoreContext, 'files' | 'dataFolder'>,
  path: string,
): Promise<string> {
  const file = await safePath(context, path)
  await mkdir(dirname(file), { recursive: true })
  const again = await safePath(context, path)
  if (again !== file) throw outside(path)
  return file
}

async function folderItself(files: string): Promise<string> {
  try {
    return await realpath(files)
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT')
      throw new StoreError('no_files_folder', `The folder that FORAGE_FILES names, ${files}, is not there.`)
    throw cause
  }
}

/** The path with all its links resolved; what is not there yet is taken as it is written. */
async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    // A link that leads nowhere would be followed by whoever creates the file: it is not taken for a file to be.
    if (await isLink(path)) throw new StoreError('path_refused', `${path} is a link that leads nowhere.`)
    const parent = dirname(path)
    return parent === path ? path : join(await resolved(parent), relative(parent, path))
  }
}

const isLink = async (path: string): Promise<boolean> =>
  lstat(path).then(
    found => found.isSymbolicLink(),
    () => false,
  )

const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

const outside = (path: string): StoreError =>
  new StoreError('path_refused', `${path.slice(0, 200)} does not lie below the folder of FORAGE_FILES.`)
