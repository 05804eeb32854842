/**
 * SQL as data. A fragment is made only by the `sql` tag, `name`, `literal` and `bind`, so no text that came from a
 * query, a column or a row can become part of the statement's own text: it is quoted, or it is a parameter.
 */
export class Sql {
  readonly strings: readonly string[]
  readonly holes: readonly Hole[]
  constructor(strings: readonly string[], holes: readonly Hole[]) {
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

/** A name that exists only inside one statement; `render` gives each its own. */
export class Local {
  /** Sets it apart from every other object, so that nothing else fits a hole. */
  readonly kind = 'local'
}

export type Hole = Sql | Bound | Local

/** The text around the holes is ours; what goes into a hole is a fragment or a bound value. */
export function sql(strings: TemplateStringsArray, ...holes: readonly Hole[]): Sql {
  return new Sql(strings, holes)
}

/** A value, sent apart from the text and cast there: an uncast parameter can break the whole instance. */
export const bind = (value: Scalar, type: SqlType): Sql => new Sql(['', ''], [new Bound(value, type)])

/** A quoted identifier. */
export const name = (id: string): Sql => new Sql([`"${id.replaceAll('"', '""')}"`], [])

/** A quoted text literal, for the few places that a parameter makes slow or impossible (JSON pointers, formats). */
export const literal = (text: string): Sql =>
  // A statement ends at a zero byte, whatever quotes are around it.
  text.includes('\0') ? sql`(${join(text.split('\0').map(quoted), ' || chr(0) || ')})` : quoted(text)

const quoted = (text: string): Sql => new Sql([`'${text.replaceAll("'", "''")}'`], [])

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

/** A name, a parameter or a word of ours: repeating it costs nothing. */
export const isSimple = ({ strings, holes }: Sql): boolean =>
  holes.length === 0 ||
  (holes.length === 1 && !(holes[0] instanceof Sql) && strings.every(text => text === ''))

/**
 * A value that a formula needs more than once, computed once: SQL has no `let`, but a list of one has a lambda (20 ns
 * a row, measured). Without it a formula inside a formula would double the text at every level.
 */
export const once = (value: Sql, formula: (value: Sql) => Sql): Sql =>
  isSimple(value) ? formula(value) : sql`list_transform([${value}], ${lambda(formula)})[1]`

/** A function for `list_transform` and its like. Its parameters are names that no column can have. */
export function lambda(formula: (item: Sql, position: Sql) => Sql): Sql {
  const parameters = [new Local(), new Local()]
    .slice(0, formula.length)
    .map(local => new Sql(['', ''], [local]))
  return sql`lambda ${join(parameters, ', ')}: ${formula(parameters[0]!, parameters[1]!)}`
}

/** NULL where the formula fails. The value is computed outside, since `try` takes no function that may call `error`. */
export const attempt = (value: Sql, formula: (value: Sql) => Sql): Sql =>
  once(value, inner => sql`try(${formula(inner)})`)

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
  const locals = new Map<Local, string>()
  const walk = (part: Sql): void => {
    for (const [index, piece] of part.strings.entries()) {
      text.push(piece)
      const hole = part.holes[index]
      if (hole instanceof Sql) walk(hole)
      else if (hole instanceof Local) {
        if (!locals.has(hole)) locals.set(hole, `"~${locals.size}"`)
        text.push(locals.get(hole)!)
      } else if (hole) {
        values.push(hole.value)
        types.push(hole.type)
        text.push(`$${values.length}::${hole.type}`)
      }
    }
  }
  walk(fragment)
  return { text: text.join(''), values, types }
}
