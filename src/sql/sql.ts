/**
 * SQL as data. A fragment is made only by the `sql` tag, `name`, `literal` and `bind`, so no text that came from a
 * query, a column or a row can become part of the statement's own text: it is quoted, or it is a parameter.
 */
export class Sql {
  readonly strings: readonly string[]
  readonly holes: readonly (Sql | Bound)[]
  constructor(strings: readonly string[], holes: readonly (Sql | Bound)[]) {
    this.strings = strings
    this.holes = holes
  }
}

export type SqlType = 'BIGINT' | 'DOUBLE' | 'VARCHAR' | 'BOOLEAN' | 'JSON'
export type Scalar = null | boolean | number | bigint | string

export class Bound {
  readonly value: Scalar
  readonly type: SqlType
  constructor(value: Scalar, type: SqlType) {
    this.value = value
    this.type = type
  }
}

/** The text around the holes is ours; what goes into a hole is a fragment or a bound value. */
export function sql(strings: TemplateStringsArray, ...holes: readonly (Sql | Bound)[]): Sql {
  return new Sql(strings, holes)
}

/** A value, sent apart from the text and cast there: an uncast parameter can break the whole instance. */
export const bind = (value: Scalar, type: SqlType): Sql => new Sql(['', ''], [new Bound(value, type)])

/** A quoted identifier. */
export const name = (id: string): Sql => new Sql([`"${id.replaceAll('"', '""')}"`], [])

/** A quoted text literal, for the few places that a parameter makes slow or impossible (JSON pointers, formats). */
export const literal = (text: string): Sql => new Sql([`'${text.replaceAll("'", "''")}'`], [])

/** A whole number of ours, such as a limit or a length. */
export const integer = (value: number | bigint): Sql => {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new RangeError(`not a whole number: ${value}`)
  return new Sql([String(value)], [])
}

export function join(parts: readonly Sql[], separator: string): Sql {
  if (parts.length === 0) return sql``
  return new Sql(['', ...parts.slice(1).map(() => separator), ''], parts)
}

export interface Statement {
  readonly text: string
  readonly values: readonly Scalar[]
  readonly types: readonly SqlType[]
}

/** The statement with `$1`, `$2`… in place of its bound values. */
export function render(fragment: Sql): Statement {
  const text: string[] = []
  const values: Scalar[] = []
  const types: SqlType[] = []
  const walk = (part: Sql): void => {
    for (const [index, piece] of part.strings.entries()) {
      text.push(piece)
      const hole = part.holes[index]
      if (hole instanceof Sql) walk(hole)
      else if (hole) {
        values.push(hole.value)
        types.push(hole.type)
        text.push(`$${values.length}::${hole.type}`)
      }
    }
  }
  walk(fragment)
  return { text: text.join(''), values, types }
}
