import { type Declaration, declarations } from '../setting-declarations.ts'
import { kinds } from '../setting-kinds.ts'
import { type LoadedSettings, loadSettings, settingNames } from '../settings.ts'
import type { CliCommand } from './command.ts'

export const config: CliCommand = {
  name: 'config',
  summary: 'Shows every setting with its value, where it comes from, and its meaning',
  description:
    'A variable of the environment goes before the configuration file, and that before the default. Secrets are not shown.\nThe file is forage.config.json in the current folder, or what FORAGE_CONFIG names: one JSON object with the names as shown.',
  options: [{ name: 'json', meaning: 'as JSON, for programs' }],
  examples: [
    { line: 'forage config', meaning: 'all settings' },
    { line: 'FORAGE_PORT=8080 forage config --json', meaning: 'what a variable changes, for a program' },
  ],
  async run({ options, env, print }) {
    const rows = describe(loadSettings(env))
    print(options.json ? JSON.stringify(rows, undefined, 2) : rows.map(paragraph).join('\n'))
    return 0
  },
}

interface Described {
  readonly name: string
  readonly variable: string
  readonly type: string
  readonly value: unknown
  readonly source: string
  readonly meaning: string
}

function describe({ settings, sources, file }: LoadedSettings): Described[] {
  return settingNames.map(name => {
    const { env, kind, meaning, secret }: Declaration = declarations[name]
    const value = settings[name] ?? null
    const source = sources[name] === 'file' ? `${file}` : sources[name]
    return {
      name,
      variable: env,
      type: kinds[kind].label,
      value: secret && value !== null ? '(hidden)' : value,
      source,
      meaning,
    }
  })
}

const paragraph = ({ name, variable, value, source, meaning }: Described): string =>
  `${name} = ${shown(value)}  (${source})\n  ${variable}: ${meaning}\n`

const shown = (value: unknown): string =>
  value === null ? 'not set' : Array.isArray(value) ? value.join(',') || 'none' : String(value)
