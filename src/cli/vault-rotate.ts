import { existsSync } from 'node:fs'
import { Fault } from '../fault.ts'
import { rotateMasterKey } from '../services/secrets/rotation.ts'
import { loadSettings } from '../settings.ts'
import { openSqliteCatalog } from '../storage/catalog/sqlite.ts'
import { dataFolderPaths, ownDataFolder } from '../storage/data-folder.ts'
import type { CliCommand } from './command.ts'

export const vaultRotate: CliCommand = {
  name: 'vault rotate',
  summary: 'Seals every secret under a new master key',
  description:
    'Forage must not run meanwhile. The new key is on the disk before anything changes, and everything changes in one step: after a crash every secret opens under the old key or under the new one, and the next start knows which.\nA key that lies in the data folder is replaced there. Where FORAGE_MASTER_KEY gives the old one, `--to` names the file of the new one, and FORAGE_MASTER_KEY has to be set to it afterwards.\nCopies of the data folder from before still open with the old key.',
  options: [{ name: 'to', value: 'file', meaning: 'where the new key is, or is to be written' }],
  examples: [
    { line: 'forage vault rotate', meaning: 'a new key in the place of the old one, in the data folder' },
    {
      line: 'FORAGE_MASTER_KEY=$OLD forage vault rotate --to new.key',
      meaning: 'for a key that is kept elsewhere',
    },
  ],
  async run({ options, env, print }) {
    const { data, masterKey } = loadSettings(env).settings
    if (!existsSync(dataFolderPaths(data).catalogFile))
      throw new Fault(
        'folder_unusable',
        `there is no catalog in the data folder ${data}`,
        'Start Forage once (`forage serve`), or set FORAGE_DATA to the folder that it uses.',
      )
    const folder = ownDataFolder(data)
    try {
      const catalog = openSqliteCatalog({ path: folder.catalogFile })
      try {
        const to = typeof options.to === 'string' ? options.to : undefined
        const { sealed } = await rotateMasterKey({
          given: masterKey,
          file: folder.masterKeyFile,
          catalog,
          to,
        })
        print(
          `Sealed ${sealed} secrets anew.${to === undefined ? '' : ` Set FORAGE_MASTER_KEY to the key in ${to}.`}`,
        )
        return 0
      } finally {
        await catalog.close()
      }
    } finally {
      folder.release()
    }
  },
}
