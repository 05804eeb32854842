import type { CommandDeclaration, Parameter } from '../declaration.ts'
import { exampleOf, list, parameterName, shorten, typeName, usage } from '../wording.ts'
import type { Message } from './message.ts'

// Too few, too many, unknown: arguments and flags.

export const missingArgument = (command: CommandDeclaration, parameter: Parameter): Message => {
  const type = typeName(parameter)
  return {
    code: 'missing_argument',
    message: `${command.name} needs ${parameterName(parameter)}${type === 'text' ? '' : `: ${type}`}.`,
    hint: `Write it as: ${usage(command)}`,
    expected: [type],
  }
}

export const tooManyArguments = (command: CommandDeclaration, text: string): Message => ({
  code: 'too_many_arguments',
  message:
    command.arguments.length === 0
      ? `${command.name} takes no arguments, but got ${shorten(text)}.`
      : `${command.name} has all its arguments already; ${shorten(text)} is one too many.`,
  hint: `Write it as: ${usage(command)}`,
})

export const unquotedText = (
  command: CommandDeclaration,
  parameter: Parameter,
  suggestion: string,
): Message => ({
  code: 'unquoted_text',
  message: `${command.name} takes ${parameterName(parameter)} as one word, but here it is several.`,
  hint: `Put quotes around it: ${command.name} ${command.arguments.length > 1 ? '… ' : ''}${shorten(suggestion, 60)}`,
  suggestion,
})

export const valueAfterList = (
  command: CommandDeclaration,
  text: string,
  flag: string,
  all: string,
): Message => ({
  code: 'too_many_arguments',
  message: `${shorten(text)} belongs to no flag: --${flag} takes only the one word after it.`,
  hint: `Give --${flag} several in one word: --${flag} ${shorten(all, 60)}. ${command.name} itself is written: ${usage(command)}`,
})

export const valueAfterSwitch = (command: CommandDeclaration, text: string, flag: string): Message => ({
  code: 'too_many_arguments',
  message: `${shorten(text)} belongs to no flag: --${flag} takes only true or false.`,
  hint: `Without either it means true. ${command.name} itself is written: ${usage(command)}`,
})

export const notMultiple = (command: CommandDeclaration, parameter: Parameter, count: number): Message => ({
  code: 'wrong_argument_count',
  message: `${command.name} takes ${parameterName(parameter)} ${parameter.multipleOf === 2 ? 'in pairs' : `in groups of ${parameter.multipleOf}`}, but got ${count}.`,
  hint: `Write it as: ${usage(command)}`,
})

export const unknownFlag = (
  command: CommandDeclaration,
  flag: string,
  near: string | undefined,
  expandOnly: boolean,
): Message => ({
  code: 'unknown_flag',
  message: `${command.name} has no flag ${flag}.`,
  hint: expandOnly
    ? `Only commands that run once for every row have ${flag}.`
    : near
      ? `Did you mean --${near}?`
      : `${ownFlags(command)}Every command has --where, --table, --take and a few more. A value that begins with -- needs quotes.`,
  ...(near && !expandOnly && { suggestion: `--${near}` }),
})

const ownFlags = ({ flags = [] }: CommandDeclaration): string =>
  flags.length > 0 ? `It has ${flags.map(flag => `--${flag.name}`).join(', ')}. ` : ''

export const missingFlagValue = (parameter: Parameter): Message => ({
  code: 'missing_value',
  message: `--${parameter.name} needs a value: ${typeName(parameter)}.`,
  hint:
    parameter.type === 'stage' && parameter.choices
      ? `Write --${parameter.name} and a label, an index, or ${list(parameter.choices)}.`
      : `Write it after the flag, as in --${parameter.name} ${exampleOf(parameter)}`,
  expected: [typeName(parameter)],
})

export const emptyFlagValue = (flag: string): Message => ({
  code: 'missing_value',
  message: `Nothing follows the = of ${flag}.`,
  hint: `Put the value directly after the =, without a space; an empty text is ${flag}=""`,
  expected: ['a value'],
})

export const repeatedFlag = (parameter: Parameter): Message => ({
  code: 'repeated_flag',
  message: `--${parameter.name} is given twice, but takes one value.`,
  hint: 'Keep the one you mean.',
})
