import type { Row } from '../../../language/json.ts'
import { CommandFailure } from '../../failure.ts'
import { MalformedXml, parseXml } from '../../mappers/xml.ts'
import { rowsOf, type Serializer } from './content.ts'
import { textIn } from './text.ts'

/** One row: the root by its name, every child an array. */
export const xml: Serializer = source => {
  const text = textIn(source)
  return text.trim() === ''
    ? { rows: [], document: null }
    : rowsOf([readXml(text, '--serializer text takes it as it is.')])
}

export function readXml(text: string, hint?: string): Row {
  try {
    return parseXml(text) as Row
  } catch (error) {
    if (!(error instanceof MalformedXml)) throw error
    throw new CommandFailure(
      'bad_xml',
      `The answer is not valid XML. ${error.message}`,
      hint === undefined ? {} : { hint },
    )
  }
}
