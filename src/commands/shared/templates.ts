import { isPlainNumber, readNumber } from '../../language/expression/numbers.ts'
import type { Template } from '../../language/values.ts'
import { numbered, type Relation, ROW_NUMBER } from '../../sql/relation.ts'
import { name } from '../../sql/sql.ts'
import { templateText, tokenValue } from '../../sql/template.ts'
import { constant, type Typed, typed } from '../../sql/value.ts'
import { compileOptions } from './expressions.ts'

/** A relation and a value over its columns. */
export interface Filled {
  readonly relation: Relation
  readonly value: Typed
}

/** What a template is for each row: one token alone has its type, and so has a plain number or boolean. */
export function filledIn(input: Relation, template: Template): Filled {
  const [first, ...more] = template.parts
  if (more.length > 0) return filledText(input, template)
  if (first === undefined || typeof first === 'string')
    return { relation: input, value: asWritten(first ?? '') }
  if (first.format) return filledText(input, template)
  const { relation, options } = counted(input, template)
  return { relation, value: tokenValue(first, relation.columns, options) }
}

/** Whether a template is another text each time it is filled in. */
export const isFresh = ({ parts }: Template): boolean =>
  parts.some(part => typeof part !== 'string' && part.kind === 'guid')

/** The text of a template for each row. */
export function filledText(input: Relation, template: Template): Filled {
  const { relation, options } = counted(input, template)
  return { relation, value: typed(templateText(template, relation.columns, options), 'VARCHAR') }
}

/** Rows are counted only where `$ROW.INDEX$` asks for it. */
function counted(input: Relation, { parts }: Template) {
  const isCounted = parts.some(part => typeof part !== 'string' && part.kind === 'rowIndex')
  const options = compileOptions(input.columns)
  if (!isCounted) return { relation: input, options }
  return { relation: numbered(input), options: { ...options, rowIndex: name(ROW_NUMBER) } }
}

/** A number only where writing it again gives the same text: 1.10 is a version, 007 a code. */
function asWritten(text: string): Typed {
  if (text === 'true' || text === 'false') return constant(text === 'true')
  const number = isPlainNumber(text) ? readNumber(text) : undefined
  return constant(number !== undefined && String(number) === text ? number : text)
}
