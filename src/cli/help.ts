import { exitCodes } from '../fault.ts'
import type { CliCommand } from './command.ts'

export const usageOf = (command: CliCommand): string =>
  [
    'forage',
    command.name,
    ...(command.arguments ?? []).map(argument =>
      argument.optional ? `[${argument.name}]` : `<${argument.name}>`,
    ),
    ...(command.options?.length ? ['[options]'] : []),
  ].join(' ')

/** `forage --help`. */
export const overview = (commands: readonly CliCommand[]): string =>
  [
    'forage turns web pages and HTTP APIs into tables.',
    section(
      'Commands',
      commands.map(command => [`forage ${command.name}`, command.summary]),
    ),
    section('Options', [
      ['--help', 'this text; after a command, the help of that command'],
      ['--version', 'the version of Forage, of Node and of the catalog'],
    ]),
    section(
      'Exit codes',
      [['0', 'done'], ...exits()].map(([code, meaning]) => [code!, meaning!]),
    ),
    'Settings come from FORAGE_* variables and forage.config.json; `forage config` shows them all.',
    '',
  ].join('\n\n')

export const exits = (): [string, string][] =>
  Object.values(exitCodes).map(({ exit, meaning }) => [String(exit), meaning])

/** `forage <command> --help`. */
export const helpOf = (command: CliCommand): string =>
  [
    `${usageOf(command)}\n\n${command.summary}.`,
    command.description,
    section(
      'Arguments',
      (command.arguments ?? []).map(argument => [`<${argument.name}>`, argument.meaning]),
    ),
    section(
      'Options',
      (command.options ?? []).map(option => [optionUsage(option), option.meaning]),
    ),
    section(
      'Examples',
      command.examples.map(example => [example.line, example.meaning]),
    ),
    '',
  ]
    .filter(part => part !== undefined)
    .join('\n\n')

export const optionUsage = (option: { name: string; value?: string }): string =>
  option.value === undefined ? `--${option.name}` : `--${option.name} <${option.value}>`

function section(title: string, lines: readonly (readonly [string, string])[]): string | undefined {
  if (lines.length === 0) return undefined
  const width = Math.max(...lines.map(([left]) => left.length))
  return [`${title}:`, ...lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)].join('\n')
}
