import { ForageError } from '../errors.ts'
import { Fault } from '../fault.ts'
import type { CliCommand } from './command.ts'

export const keyDelete: CliCommand = {
  name: 'key delete',
  summary: 'Deletes an API key; it is void at once, also for a running server',
  arguments: [{ name: 'id', meaning: 'the id that `forage key list` shows' }],
  examples: [{ line: 'forage key delete 4f1d4c1e-7d0b-4a52-9a55-0f7f4e3c8c11', meaning: 'deletes that key' }],
  async run({ arguments: { id }, env, print }) {
    const { withKeys } = await import('./keys.ts')
    const deleted = await withKeys(env, keys => keys.delete(id!)).catch(refused)
    if (!deleted)
      throw new Fault('failure', `there is no API key with the id ${id}`, '`forage key list` shows the ids.')
    print(`Deleted ${id}.`)
    return 0
  },
}

function refused(error: unknown): never {
  if (!(error instanceof ForageError)) throw error
  throw new Fault('failure', error.message, '`forage key create` makes another key.')
}
