import type { NameKind, Parameter } from '../declaration.ts'
import { list, shorten, typeName } from '../wording.ts'
import type { Message } from './message.ts'

// A value that is not what its parameter takes.

export const wrongType = (owner: string, parameter: Parameter, given: string, hint?: string): Message => ({
  code: 'wrong_type',
  message: `${owner} takes ${typeName(parameter)}, but got ${shorten(given)}.`,
  ...(hint && { hint }),
  expected: [typeName(parameter)],
})

export const outOfRange = (owner: string, parameter: Parameter, given: string): Message => {
  const { min, max } = parameter
  const range =
    min !== undefined && max !== undefined
      ? `from ${min} to ${max}`
      : min !== undefined
        ? `of at least ${min}`
        : `of at most ${max}`
  return {
    code: 'out_of_range',
    message: `${owner} takes a number ${range}, but got ${shorten(given)}.`,
    expected: [`a number ${range}`],
  }
}

export const badChoice = (
  owner: string,
  given: string,
  choices: readonly string[],
  near: string | undefined,
): Message => ({
  code: 'bad_choice',
  message: `${owner} takes ${list(choices)}, but got ${shorten(given)}.`,
  ...(near && { hint: `Did you mean ${near}?`, suggestion: near }),
  expected: choices,
})

export const badPath = (problem: 'empty' | 'unclosed' | 'afterQuote', owner: string): Message => {
  const code = 'bad_path'
  if (problem === 'empty')
    return {
      code,
      message: `${owner} takes the name of a column, but got an empty text.`,
      hint: 'Name the column. One whose name is really empty is written `` (two back-ticks).',
      expected: ['a column'],
    }
  if (problem === 'unclosed')
    return {
      code,
      message: 'A back-tick in this path is never closed.',
      hint: 'Back-ticks go around one name, as in `unit price`.net; a back-tick inside is written twice.',
    }
  return {
    code,
    message: 'In a path only a dot may stand beside a name in back-ticks.',
    hint: 'Put the whole name into the back-ticks, as in `unit price`.net; a back-tick inside is written twice.',
    expected: ['.'],
  }
}

export const wildcardHere = (owner: string, text: string): Message => ({
  code: 'wildcard',
  message: `${owner} takes one column, and ${shorten(text)} is many.`,
  hint: 'Name the column. One that is really called * is written `*` with back-ticks.',
})

export const commaInPath = (text: string, repeated: boolean): Message => ({
  code: 'comma_in_path',
  message: `${shorten(text)} is read as one name, comma and all.`,
  hint: repeated
    ? 'Columns are separated by spaces. A comma that belongs to a name goes into back-ticks: `a,b`'
    : 'Remove the comma. If it belongs to the name, put the name into back-ticks: `a,b`',
  suggestion: text
    .split(',')
    .filter(part => part !== '')
    .join(' '),
})

export const badUrl = (text: string, owner: string, better: string | undefined): Message => ({
  code: 'bad_url',
  message: better
    ? `${shorten(text)} has no http:// or https:// in front.`
    : `${shorten(text)} is no URL, and ${owner} takes one.`,
  hint: better
    ? `Write ${shorten(better, 60)}`
    : 'A URL begins with http:// or https:// and a host, such as https://shop.example/laptops',
  ...(better && { suggestion: better }),
  expected: ['a URL'],
})

export const badCheckpoint = (text: string): Message => ({
  code: 'bad_checkpoint',
  message: `--checkpoint takes a name and a path, but got ${shorten(text)}.`,
  hint: 'Write it as name:path, as in --checkpoint "lastId:id"',
  expected: ['name:path'],
})

export const unknownName = (kind: NameKind, name: string, near: string | undefined): Message => ({
  code: 'unknown_name',
  message: `There is no ${NAME_KINDS[kind]} called ${shorten(name)}.`,
  ...(near && { hint: `Did you mean ${near}?` }),
})

const NAME_KINDS: Readonly<Record<NameKind, string>> = {
  credential: 'credential',
  secret: 'secret',
  prompt: 'prompt',
  store: 'store',
  template: 'template',
  templateValue: 'template value',
  cellar: 'cellar file',
  device: 'device',
}

export const badLabel = (text: string): Message => ({
  code: 'bad_label',
  message: `${shorten(text)} cannot be the label of a stage.`,
  hint: 'A label begins with a letter or _ and goes on with letters, digits, _ and -; true is taken.',
})

export const duplicateLabel = (label: string, other: number): Message => ({
  code: 'duplicate_label',
  message: `Stage ${other} is already labelled ${label}.`,
  hint: 'Give each stage a label of its own.',
})

export const unknownStage = (text: string, labels: readonly string[], near: string | undefined): Message => ({
  code: 'unknown_stage',
  message: `No earlier stage is labelled ${shorten(text)}.`,
  hint: near
    ? `Did you mean ${near}?`
    : labels.length > 0
      ? `Earlier labels: ${labels.join(', ')}.`
      : `Add --labelStage ${isPlainLabel(text) ? text : 'name'} to the stage you mean, or give its index from 0.`,
  ...(near && { suggestion: near }),
})

const isPlainLabel = (text: string): boolean => /^[A-Za-z_][\w-]*$/.test(text)

export const laterStage = (text: string, self: boolean): Message => ({
  code: 'later_stage',
  message: self
    ? `${shorten(text)} is this stage itself.`
    : `Stage ${shorten(text)} comes later in the query.`,
  hint: 'Only stages that stand earlier have rows to give.',
})

export const noPreviousStage = (): Message => ({
  code: 'unknown_stage',
  message: 'There is no stage before this one.',
  hint: '--appendStage true adds the rows of the stage before.',
})
