import type { CliCommand } from './command.ts'

export const keyCreate: CliCommand = {
  name: 'key create',
  summary: 'Makes an API key and prints it, once',
  description:
    'Works on the data folder (FORAGE_DATA), whether a server runs on it or not. Only a hash of the key is kept.',
  options: [
    { name: 'name', value: 'text', meaning: 'what it is for, to know it again in the list' },
    { name: 'json', meaning: 'as JSON, for programs' },
  ],
  examples: [
    { line: 'forage key create --name ci', meaning: 'a key for the build server' },
    {
      line: 'KEY=$(forage key create)',
      meaning: 'straight into a variable: only the key goes to standard output',
    },
  ],
  async run({ options, env, print }) {
    const { withKeys } = await import('./keys.ts')
    const created = await withKeys(env, keys => keys.create(String(options.name ?? 'command line')))
    print(options.json ? JSON.stringify(created) : created.key)
    return 0
  },
}
