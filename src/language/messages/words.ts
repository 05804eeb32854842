import type { CommandDeclaration } from '../declaration.ts'
import { shorten } from '../wording.ts'
import type { Message } from './message.ts'

// What is wrong with the text itself, and with how its stages begin.

export const unclosedComment = (): Message => ({
  code: 'unclosed_comment',
  message: 'This comment is never closed.',
  hint: 'End it with */',
  expected: ['*/'],
})

export const unclosedQuote = (quote: string): Message => ({
  code: 'unclosed_quote',
  message: quote === '```' ? 'This fence is never closed.' : 'This quote is never closed.',
  hint:
    quote === '```'
      ? 'End it with three back-ticks.'
      : `End the text with ${quote}; inside the text write ${quote} as \\${quote}, or use the other kind of quotes around it.`,
  expected: [quote],
})

export const unclosedBacktick = (): Message => ({
  code: 'unclosed_backtick',
  message: 'This back-tick is never closed.',
  hint: 'Back-ticks go around an odd name, as in `unit price`. To mean the character itself, put the word into quotes.',
  expected: ['`'],
})

export const unclosedBracket = (bracket: string): Message => ({
  code: 'unclosed_bracket',
  message: `Nothing closes this ${bracket}`,
  hint: `Unquoted JSON runs to its matching ${bracket === '{' ? '}' : ']'}. If it is not JSON, put it into quotes.`,
  expected: [bracket === '{' ? '}' : ']'],
})

export const wrongBracket = (bracket: string): Message => ({
  code: 'unclosed_bracket',
  message: `This ${bracket} closes a bracket of the other kind.`,
  hint: 'Unquoted JSON runs to its matching bracket. If it is not JSON, put it into quotes.',
  expected: [bracket === '}' ? ']' : '}'],
})

export const afterQuote = (quote: string, rest: string): Message => ({
  code: 'text_after_quote',
  message: `${shorten(rest)} stands directly after the closing ${quote === '```' ? 'fence' : 'quote'}.`,
  hint:
    quote === '```'
      ? 'Put a space between them.'
      : `Put a space between them; or if ${quote} belongs to the text, write it as \\${quote}`,
  expected: ['white space', '||', 'the end'],
})

export const lonePipe = (): Message => ({
  code: 'lone_pipe',
  message: 'A single | means nothing here.',
  hint: 'Stages are joined by ||. To mean the character itself, put the word into quotes.',
  suggestion: '||',
  expected: ['||'],
})

export const badFlagName = (text: string): Message => ({
  code: 'bad_flag_name',
  message: `${shorten(text)} is no flag name.`,
  hint: 'Flags are letters, digits, _ and dots: --labelStage, --checkpoint.pick. A value that begins with -- needs quotes.',
})

export const emptyQuery = (): Message => ({
  code: 'empty_query',
  message: 'The query is empty.',
  hint: 'Begin with a command that makes rows, such as: range 1 10 n',
  expected: ['a command'],
})

export const emptyStage = (where: 'before' | 'after'): Message => ({
  code: 'empty_stage',
  message: where === 'before' ? 'There is no command before this ||' : 'There is no command after this ||',
  hint: 'Every stage begins with a command. Add one, or remove the ||.',
  expected: ['a command'],
})

export const flagBeforeCommand = (flag: string): Message => ({
  code: 'no_command',
  message: `This stage begins with the flag ${flag} instead of a command.`,
  hint: `Put the command first, then ${flag}.`,
  expected: ['a command'],
})

export const quotedCommand = (text: string, known: boolean): Message => ({
  code: 'no_command',
  message: 'This stage begins with quoted text instead of a command.',
  hint: known ? 'Remove the quotes.' : 'Put a command before it.',
  ...(known && { suggestion: text }),
  expected: ['a command'],
})

export const unknownCommand = (
  name: string,
  near: string | undefined,
  afterExpression: boolean,
): Message => ({
  code: 'unknown_command',
  message: `There is no command ${shorten(name)}.`,
  hint: near
    ? `Did you mean ${near}?`
    : afterExpression
      ? 'If || was meant as "or", put the whole expression into quotes, or write or.'
      : 'The query "commands" lists them all.',
  ...(near && { suggestion: near }),
})

export const reduceFirst = (command: CommandDeclaration): Message => ({
  code: 'no_input',
  message: `${command.name} works on the rows of the stage before it, and here is none.`,
  hint: `Put a stage that makes rows in front of it, such as: range 1 10 n || ${command.name} …`,
})
