import type { CliCommand } from './command.ts'
import { config } from './config.ts'
import { doctor } from './doctor.ts'
import { explain } from './explain.ts'
import { format } from './format.ts'
import { keyCreate } from './key-create.ts'
import { keyDelete } from './key-delete.ts'
import { keyList } from './key-list.ts'
import { licenseKey } from './license-key.ts'
import { licenseSign } from './license-sign.ts'
import { parse } from './parse.ts'
import { query } from './query.ts'
import { serve } from './serve.ts'
import { vaultRotate } from './vault-rotate.ts'

export const cliCommands: readonly CliCommand[] = [
  serve,
  query,
  parse,
  explain,
  format,
  config,
  keyCreate,
  keyList,
  keyDelete,
  vaultRotate,
  licenseKey,
  licenseSign,
  doctor,
]
