import { readFileSync } from 'node:fs'
import { Fault, systemCode } from './fault.ts'
import { nearest } from './language/nearest.ts'
import { type Declaration, declarations } from './setting-declarations.ts'
import { kinds, type ValueOfKind } from './setting-kinds.ts'

type Declarations = typeof declarations
export type SettingName = keyof Declarations
export type Settings = {
  readonly [N in SettingName]:
    | ValueOfKind<Declarations[N]['kind']>
    | (Declarations[N]['default'] extends undefined ? undefined : never)
}
export type Source = 'default' | 'environment' | 'file'
export interface LoadedSettings {
  readonly settings: Settings
  readonly sources: Readonly<Record<SettingName, Source>>
  /** The configuration file that was read, if one was. */
  readonly file: string | undefined
}

export const settingNames = Object.keys(declarations) as SettingName[]

/** Reads all settings; every wrong or unknown one is named in one fault. */
export function loadSettings(env: NodeJS.ProcessEnv = process.env): LoadedSettings {
  const problems = unknownVariables(env)
  const file = readConfiguration(env, problems)
  const values: Record<string, unknown> = {}
  const sources = {} as Record<SettingName, Source>
  for (const name of settingNames) {
    const declaration: Declaration = declarations[name]
    const fromEnvironment = env[declaration.env] || undefined
    const fromFile = isEnvironmentOnly(name) ? undefined : file?.content[name]
    sources[name] =
      fromEnvironment !== undefined ? 'environment' : fromFile !== undefined ? 'file' : 'default'
    const given = fromEnvironment ?? (fromFile === undefined ? declaration.default : fromFile)
    if (given === undefined) continue
    const result = kinds[declaration.kind].read(given)
    if ('value' in result) {
      values[name] = result.value
      continue
    }
    const where = sources[name] === 'environment' ? declaration.env : `"${name}" in ${file?.path}`
    const shown = declaration.secret ? '' : `, not ${JSON.stringify(given)}`
    problems.push(`${where} must be ${result.expected}${shown}`)
  }
  if (problems.length > 0) throw settingsFault(problems)
  // Each value was read by the kind that its declaration names, which is what the type says.
  return { settings: values as unknown as Settings, sources, file: file?.path }
}

function unknownVariables(env: NodeJS.ProcessEnv): string[] {
  const known = settingNames.map(name => declarations[name].env as string)
  return Object.keys(env)
    .filter(name => name.startsWith('FORAGE_') && !known.includes(name))
    .map(name => `${name} is not a setting${suggestion(name, known)}`)
}

function readConfiguration(env: NodeJS.ProcessEnv, problems: string[]) {
  const named = env.FORAGE_CONFIG || undefined
  const path = named ?? declarations.config.default
  const text = readIfThere(path, named !== undefined, problems)
  if (text === undefined) return undefined
  const content = parseConfiguration(path, text, problems)
  const known = settingNames.filter(name => !isEnvironmentOnly(name))
  for (const key of Object.keys(content)) {
    if (!known.includes(key as SettingName))
      problems.push(`"${key}" in ${path} is not a setting${suggestion(key, known)}`)
  }
  return { path, content }
}

export const isEnvironmentOnly = (name: SettingName): boolean =>
  (declarations[name] as Declaration).environmentOnly === true

function readIfThere(path: string, required: boolean, problems: string[]): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const missing = systemCode(error) === 'ENOENT'
    if (!missing || required)
      problems.push(`the configuration file ${path} ${missing ? 'is not there' : 'cannot be read'}`)
    return undefined
  }
}

function parseConfiguration(path: string, text: string, problems: string[]): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text)
    if (typeof content === 'object' && content !== null && !Array.isArray(content))
      return content as Record<string, unknown>
    problems.push(`the configuration file ${path} must hold one JSON object`)
  } catch (error) {
    problems.push(`the configuration file ${path} is not JSON: ${(error as Error).message}`)
  }
  return {}
}

function suggestion(name: string, known: readonly string[]): string {
  const close = nearest(name, known)
  return close === undefined ? '' : `; did you mean ${close}?`
}

const settingsFault = (problems: readonly string[]) =>
  new Fault(
    'settings',
    problems.length === 1
      ? problems[0]!
      : `${problems.length} settings are wrong:\n  ${problems.join('\n  ')}`,
    '`forage config --help` lists every setting with its meaning; docs/configuration.md does too.',
  )

/** Whether others than the people on this machine can reach Forage. */
export const isExposed = ({ exposed, host }: Pick<Settings, 'exposed' | 'host'>): boolean =>
  exposed || !/^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host)
