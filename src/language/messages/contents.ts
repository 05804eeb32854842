import { inQuotes, shorten } from '../wording.ts'
import type { Message } from './message.ts'

// Languages inside a value: regular expressions and JSON.

export const lookAround = (found: string): Message => ({
  code: 'regex_look_around',
  message: `${found}…) is look-around, which does not exist in RE2; and RE2 runs the regular expressions here.`,
  hint: 'Capture more than you need and name the part you want, as in "before(?<part>…)after"; or test twice, with matches and excludes.',
})

export const backReference = (found: string): Message => ({
  code: 'regex_back_reference',
  message: `${found} is a back-reference, which does not exist in RE2; and RE2 runs the regular expressions here.`,
  hint: 'Capture both parts under names and compare them with filter.',
})

export const atomicGroup = (): Message => ({
  code: 'bad_regex',
  message:
    '(?>…) is an atomic group, which does not exist in RE2; and RE2 runs the regular expressions here.',
  hint: 'An ordinary group, (?:…), is as fast here: RE2 never goes back.',
})

export const badRegex = (description: string): Message => ({
  code: 'bad_regex',
  message: `This regular expression does not parse: ${description}.`,
  hint: 'To mean one of . * + ? ( ) [ ] { } | ^ $ itself, write a backslash before it.',
})

export const jsonUnclosed = (open: string): Message => ({
  code: 'bad_json',
  message:
    open === '"' || open === "'"
      ? 'In this JSON a string is never closed.'
      : `In this JSON nothing closes this ${open}`,
  expected: [open === '{' ? '}' : open === '[' ? ']' : open],
})

export const jsonNoColon = (key: string, found: string): Message => ({
  code: 'bad_json',
  message: `In this JSON the key ${shorten(key)} is followed by ${found === '' ? 'nothing' : shorten(found)}, not by a colon.`,
  expected: [':'],
})

export const jsonNoComma = (close: string, found: string): Message => ({
  code: 'bad_json',
  message: `In this JSON a comma or ${close} is missing before ${shorten(found)}.`,
  expected: [',', close],
})

export const jsonBadKey = (found: string): Message => ({
  code: 'bad_json',
  message: `In this JSON ${shorten(found)} stands where a key should be.`,
  hint: 'A key is a word or a quoted text, followed by a colon.',
  expected: ['a key', '}'],
})

export const jsonTokenKey = (source: string): Message => ({
  code: 'bad_json',
  message: `${shorten(source)} stands in a key, but tokens give values, never keys.`,
  hint: 'Write the key itself; a dollar in it as \\$',
})

export const jsonTokenNotAlone = (source: string): Message => ({
  code: 'bad_json',
  message: `In this JSON more text follows ${source}.`,
  hint: 'A token with other text around it goes into quotes.',
})

export const jsonNoValue = (found: string): Message => ({
  code: 'bad_json',
  message:
    found === ''
      ? 'In this JSON a value is missing at the end.'
      : `In this JSON a value is missing before ${shorten(found)}.`,
  expected: ['a value'],
})

export const jsonBareText = (word: string): Message => ({
  code: 'bad_json',
  message: `In this JSON ${shorten(word)} is neither a number nor true, false or null.`,
  hint: 'Text goes into quotes.',
  suggestion: inQuotes(word),
  expected: ['a value'],
})

export const jsonAfterEnd = (found: string): Message => ({
  code: 'bad_json',
  message: `This JSON is complete, but goes on with ${shorten(found)}.`,
  expected: ['the end'],
})

export const jsonTooDeep = (depth: number): Message => ({
  code: 'bad_json',
  message: `This JSON is nested more than ${depth} levels deep.`,
})
