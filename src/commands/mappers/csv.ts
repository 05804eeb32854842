import { isPlainNumber, readNumber } from '../../language/expression/numbers.ts'
import type { Json, Row } from '../../language/json.ts'
import type { Mapper } from '../mapper.ts'
import type { TextColumns } from './parsed-text.ts'

/** What is wrong with a text that should be CSV. */
export class MalformedCsv extends Error {
  override readonly name = 'MalformedCsv'
}

/**
 * The records of a CSV text. Fields may stand in double quotes, which double inside; lines end in any of the three
 * ways, and an empty one is no record. Throws `MalformedCsv` and nothing else.
 */
export function parseCsv(text: string, separator: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  const end = text.length
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  while (at < end) {
    const field = text[at] === '"' ? quoted(text, at, separator) : plain(text, at, separator)
    record.push(field.value)
    at = field.end
    if (text.startsWith(separator, at)) {
      at += separator.length
      if (at === end) record.push('')
    } else {
      if (text.startsWith('\r\n', at)) at++
      at++
      if (record.length > 1 || record[0] !== '' || field.isQuoted) records.push(record)
      record = []
    }
  }
  if (record.length > 0) records.push(record)
  return records
}

interface Field {
  readonly value: string
  readonly end: number
  readonly isQuoted: boolean
}

function plain(text: string, start: number, separator: string): Field {
  let end = start
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r' && !text.startsWith(separator, end))
    end++
  return { value: text.slice(start, end), end, isQuoted: false }
}

function quoted(text: string, start: number, separator: string): Field {
  let value = ''
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote < 0) throw new MalformedCsv(`A quote on line ${lineOf(text, start)} is never closed.`)
    value += text.slice(at, quote)
    if (text[quote + 1] !== '"') {
      const end = quote + 1
      const isEnd =
        end === text.length || text[end] === '\n' || text[end] === '\r' || text.startsWith(separator, end)
      if (!isEnd) throw new MalformedCsv(`On line ${lineOf(text, end)} text follows a closing quote.`)
      return { value, end, isQuoted: true }
    }
    value += '"'
    at = quote + 2
  }
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Records as rows: named by the first one, or `c1`, `c2`…. Text, unless every value of a column is a plain number. */
export function recordsToRows(records: readonly (readonly string[])[], header: boolean): Row[] {
  const rest = header ? records.slice(1) : records
  // By a loop: there may be more records than a call takes arguments.
  const width = records.reduce((widest, record) => Math.max(widest, record.length), 0)
  const names = columnNames(header ? (records[0] ?? []) : [], width)
  const isNumeric = names.map((_, at) => rest.every(record => !record[at] || isCsvNumber(record[at])))
  return rest.map(record => {
    const cells = record.flatMap((text, at): [string, Json][] =>
      text === '' ? [] : [[names[at]!, isNumeric[at] ? readNumber(text)! : text]],
    )
    return Object.fromEntries(cells)
  })
}

/** Past 64 bits a whole number would lose digits, so it stays text. */
export const isCsvNumber = (text: string): boolean => isPlainNumber(text) && readNumber(text) !== undefined

/** An empty name is `c` and its place; a name that came before gets `_2`, `_3`… behind it. */
export function columnNames(header: readonly string[], width: number): string[] {
  const taken = new Set<string>()
  return Array.from({ length: width }, (_, at) => {
    const wanted = header[at]?.trim() || `c${at + 1}`
    let unique = wanted
    for (let n = 2; taken.has(unique); n++) unique = `${wanted}_${n}`
    taken.add(unique)
    return unique
  })
}

/** A row for each record of the text in the row's `value`, with the other columns; the row itself where there is none. */
export const map: Mapper = options => {
  const { value, problem, header, separator } = options as TextColumns & {
    readonly header: boolean
    readonly separator: string
  }
  return row => {
    const { [value]: text, ...others } = row
    if (typeof text !== 'string') return others
    try {
      const rows = recordsToRows(parseCsv(text, separator), header)
      return rows.length > 0 ? rows.map(record => ({ ...others, ...record })) : others
    } catch (error) {
      if (error instanceof MalformedCsv) return { ...others, [problem]: error.message }
      throw error
    }
  }
}
