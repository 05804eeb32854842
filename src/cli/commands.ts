import type { CliCommand } from './command.ts'
import { config } from './config.ts'
import { doctor } from './doctor.ts'
import { keyCreate } from './key-create.ts'
import { keyDelete } from './key-delete.ts'
import { keyList } from './key-list.ts'
import { serve } from './serve.ts'

export const cliCommands: readonly CliCommand[] = [serve, config, keyCreate, keyList, keyDelete, doctor]
