import { migrations } from '../storage/catalog/migrations.ts'
import { version } from '../version.ts'

/** `forage --version`. */
export const versionText = (): string =>
  `forage ${version} (node ${process.versions.node}, catalog version ${migrations.length})`
