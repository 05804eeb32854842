import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Where the browsers of one data folder have their profiles. Not below the data folder: as root the browser runs as
 * another user, who must not get in there.
 */
export const profilesFolder = (dataFolder: string): string =>
  join(tmpdir(), `forage-browser-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)}`)
