import { CommandFailure } from '../../failure.ts'
import { MalformedCsv, parseCsv, recordsToRows } from '../../mappers/csv.ts'
import { rowsOf, type Serializer } from './content.ts'
import { textIn } from './text.ts'

/** A row for each line, named by the first one: text, unless every value of a column is a plain number. */
export const csv: Serializer = source => {
  const text = textIn(source)
  try {
    return rowsOf(recordsToRows(parseCsv(text, separatorOf(text)), true))
  } catch (error) {
    if (!(error instanceof MalformedCsv)) throw error
    throw new CommandFailure('bad_csv', `The answer is not valid CSV. ${error.message}`, {
      hint: '--serializer text takes it as it is.',
    })
  }
}

/** Tabs and semicolons are used as well: the one that the first line has most of, a comma if it has none. */
function separatorOf(text: string): string {
  const end = text.search(/[\r\n]/)
  const names = (end < 0 ? text : text.slice(0, end)).replace(/"[^"]*"/g, '')
  const count = (separator: string) => names.split(separator).length
  return [',', '\t', ';'].reduce((best, next) => (count(next) > count(best) ? next : best))
}
