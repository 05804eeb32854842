import { existsSync } from 'node:fs'
import { Fault } from '../fault.ts'
import { Keys } from '../services/secrets/keys.ts'
import { loadSettings } from '../settings.ts'
import { openSqliteCatalog } from '../storage/catalog/sqlite.ts'
import { type DataFolder, dataFolderPaths, ownDataFolder } from '../storage/data-folder.ts'

/**
 * Works on the keys of the data folder. While a server owns the folder this is a second, small writer on its catalog,
 * which SQLite allows; the server asks the catalog for every key, so a change counts at once.
 */
export async function withKeys<T>(env: NodeJS.ProcessEnv, work: (keys: Keys) => Promise<T>): Promise<T> {
  const { data } = loadSettings(env).settings
  const paths = dataFolderPaths(data)
  if (!existsSync(paths.catalogFile))
    throw new Fault(
      'folder_unusable',
      `there is no catalog in the data folder ${data}`,
      'Start Forage once (`forage serve`), or set FORAGE_DATA to the folder that it uses.',
    )
  const owned = ownIfFree(data)
  try {
    const catalog = openSqliteCatalog({
      path: paths.catalogFile,
      as: owned === undefined ? 'guest' : 'owner',
    })
    try {
      return await work(new Keys(catalog))
    } finally {
      await catalog.close()
    }
  } finally {
    owned?.release()
  }
}

function ownIfFree(path: string): DataFolder | undefined {
  try {
    return ownDataFolder(path)
  } catch (error) {
    if (error instanceof Fault && error.code === 'folder_owned') return undefined
    throw error
  }
}
