import { apiPage } from './api.ts'
import { commandLinePage } from './command-line.ts'
import { commandsPage } from './commands.ts'
import { configurationPage } from './configuration.ts'
import { errorsPage } from './errors.ts'
import { secretsPage } from './secrets.ts'
import { storesPage } from './stores.ts'

/** The pages of docs/ that are written from declarations; a test compares them. */
export const pages: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': configurationPage,
  'docs/command-line.md': commandLinePage,
  'docs/commands.md': commandsPage,
  'docs/api.md': apiPage,
  'docs/errors.md': errorsPage,
  'docs/stores.md': storesPage,
  'docs/secrets.md': secretsPage,
}
