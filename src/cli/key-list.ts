import type { ApiKey } from '../services/secrets/keys.ts'
import type { CliCommand } from './command.ts'

export const keyList: CliCommand = {
  name: 'key list',
  summary: 'Lists the API keys: id, first characters, name, when made and last used',
  description: 'The time of use is noted about once a minute.',
  options: [{ name: 'json', meaning: 'as JSON, for programs' }],
  examples: [{ line: 'forage key list', meaning: 'all keys, the oldest first' }],
  async run({ options, env, print }) {
    const { withKeys } = await import('./keys.ts')
    const { items } = await withKeys(env, keys => keys.list({ offset: 0, limit: Number.MAX_SAFE_INTEGER }))
    print(
      options.json
        ? JSON.stringify(items, undefined, 2)
        : items.map(line).join('\n') || 'There is no API key.',
    )
    return 0
  },
}

const line = ({ id, prefix, name, createdAt, lastUsedAt }: ApiKey): string =>
  `${id}  ${prefix}…  ${name}  (made ${createdAt}, last used ${lastUsedAt ?? 'never'})`
