import { re2Pattern } from '../../language/re2.ts'
import { checkRegex } from '../../language/regex.ts'
import type { Relation } from '../../sql/relation.ts'
import { bind, join, name, type Sql, sql } from '../../sql/sql.ts'
import { textOf } from '../../sql/text.ts'
import { CommandFailure } from '../failure.ts'

interface FindOptions {
  readonly regex: boolean
  readonly case: boolean
}

/** A condition on a text. */
type Finder = (text: Sql) => Sql

export function textFinder(wanted: string, options: FindOptions): Finder {
  if (options.regex) {
    refuseBadRegex(wanted)
    const pattern = bind(re2Pattern(options.case ? wanted : `(?i)${wanted}`), 'VARCHAR')
    return text => sql`regexp_matches(${text}, ${pattern})`
  }
  if (options.case) return text => sql`contains(${text}, ${bind(wanted, 'VARCHAR')})`
  const small = sql`lower(${bind(wanted, 'VARCHAR')})`
  return text => sql`contains(lower(${text}), ${small})`
}

/** Only the flag says that the text is a regular expression, so the parser could not look at it. */
function refuseBadRegex(pattern: string): void {
  const problem = checkRegex(pattern)
  if (problem)
    throw new CommandFailure(problem.message.code, problem.message.message, {
      ...(problem.message.hint && { hint: problem.message.hint }),
    })
}

/** Whether any value of a row, at any depth, fits. */
export function anyValue(relation: Relation, fits: Finder): Sql {
  const found = relation.columns.map(column => {
    const value = name(column.id)
    const text = textOf({ sql: value, type: column.type })
    return column.type === 'JSON' ? inJson(value, text, fits) : sql`coalesce(${fits(text)}, false)`
  })
  return found.length > 0 ? sql`(${join(found, ' OR ')})` : sql`false`
}

/** In the values inside, not in the keys between them. */
const inJson = (json: Sql, text: Sql, fits: Finder): Sql =>
  sql`coalesce(CASE WHEN json_type(${json}) IN ('OBJECT', 'ARRAY') THEN len(list_filter(json_extract(${json}, '$..*'), lambda v: json_type(v) NOT IN ('OBJECT', 'ARRAY', 'NULL') AND ${fits(sql`(v ->> '$')`)})) > 0 ELSE ${fits(text)} END, false)`
