import type { CommandDeclaration, Parameter } from './declaration.ts'

/** Text in quotes as a query would write it, in those that need the fewest backslashes. */
export function inQuotes(text: string): string {
  const quote = text.includes('"') && !text.includes("'") ? "'" : '"'
  return quote + text.replaceAll(quote, `\\${quote}`) + quote
}

/** What was given, short enough for a message, and in quotes where it would run into the words around it. */
export function shorten(text: string, longest = 40): string {
  if (text === '') return 'an empty text'
  const line = text.replace(/\s+/g, ' ')
  const short = line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line
  return /^[^"'` ]*$|^["'`]/.test(short) ? short : `"${short}"`
}

export function list(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`
}

export const parameterName = (parameter: Parameter): string => parameter.name.toUpperCase()

/** `limit COUNT [OFFSET]` */
export function usage(command: CommandDeclaration): string {
  const words = command.arguments.map(parameter => {
    const name = parameterName(parameter) + (parameter.repeated ? '…' : '')
    return parameter.optional ? `[${name}]` : name
  })
  return [command.name, ...words].join(' ')
}

/** A value such as a flag of this type takes. */
export function exampleOf(parameter: Parameter): string {
  switch (parameter.type) {
    case 'integer':
      return '10'
    case 'number':
      return '1.5'
    case 'choice':
      return parameter.choices?.[0] ?? ''
    case 'path':
    case 'column':
      return 'price'
    case 'expression':
      return '"price > 10"'
    case 'url':
      return 'https://shop.example'
    case 'json':
      return '{a: 1}'
    default:
      return '"…"'
  }
}

/** What a parameter expects, for "takes … but got …". */
export function typeName(parameter: Parameter): string {
  switch (parameter.type) {
    case 'integer':
      return 'a whole number'
    case 'number':
      return 'a number'
    case 'boolean':
      return 'true or false'
    case 'url':
      return 'a URL'
    case 'regex':
      return 'a regular expression'
    case 'expression':
      return 'an expression in quotes'
    case 'aggregates':
      return 'aggregates in quotes, such as "count() as n"'
    case 'json':
      return parameter.orText ? 'JSON or text' : 'JSON'
    case 'javascript':
      return 'JavaScript in quotes or a fence'
    case 'sql':
      return 'SQL in quotes or a fence'
    case 'graphql':
      return 'GraphQL in quotes or a fence'
    case 'css':
      return 'a CSS selector'
    case 'path':
      return parameter.repeated ? 'one or more columns' : 'a column'
    case 'column':
      return 'the name of a new column'
    case 'stage':
      return 'the label or index of an earlier stage'
    case 'choice':
      return list(parameter.choices ?? [])
    default:
      return 'text'
  }
}
