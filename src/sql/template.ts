import type { Template, Token } from '../language/values.ts'
import { ExpressionError } from './errors.ts'
import { type ReadOptions, readPath } from './path.ts'
import type { Column } from './relation.ts'
import { rowText } from './rows.ts'
import { bind, join, type Sql, sql } from './sql.ts'
import { jsonOf, textOf } from './text.ts'
import { type Typed, typed } from './value.ts'

export interface TemplateOptions extends ReadOptions {
  /** The number of the row, for `$ROW.INDEX$`. */
  readonly rowIndex?: Sql
}

/** The text of a template for each row: never NULL, since a missing value leaves its place empty. */
export function templateText(
  template: Template,
  columns: readonly Column[],
  options: TemplateOptions = {},
): Sql {
  const pieces = template.parts.map(part =>
    typeof part === 'string' ? bind(part, 'VARCHAR') : tokenText(part, columns, options),
  )
  return pieces.length === 0 ? sql`''` : sql`concat(${join(pieces, ', ')})`
}

function tokenText(token: Token, columns: readonly Column[], options: TemplateOptions): Sql {
  const value = tokenValue(token, columns, options)
  if (token.format === 'json') return sql`${jsonOf(value)}::VARCHAR`
  return token.format === 'url' ? sql`url_encode(${textOf(value)})` : textOf(value)
}

/** The value of a token that depends on the row. All others have been filled in when this is reached. */
export function tokenValue(token: Token, columns: readonly Column[], options: TemplateOptions = {}): Typed {
  if (token.kind === 'row') return readPath(columns, token.path, { span: token.span, ...options })
  if (token.kind === 'wholeRow') return typed(sql`${rowText(columns)}::JSON`, 'JSON')
  if (token.kind === 'rowIndex' && options.rowIndex) return typed(options.rowIndex, 'BIGINT')
  if (token.kind === 'guid') return typed(sql`uuid()::VARCHAR`, 'VARCHAR')
  throw new ExpressionError('token_place', `${token.source} has no value here.`, { span: token.span })
}
