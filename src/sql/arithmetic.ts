import type { Span } from '../language/diagnostics.ts'
import type { Expression } from '../language/expression/tree.ts'
import { overflowMessage } from './errors.ts'
import { numberOf } from './number.ts'
import { isSimple, join, Local, literal, once, Sql, sql } from './sql.ts'
import { type Typed, typed } from './value.ts'

type Operator = '+' | '-' | '*' | '/' | '%'
const SYMBOLS: Readonly<Record<Operator, Sql>> = {
  '+': sql`+`,
  '-': sql`-`,
  '*': sql`*`,
  '/': sql`/`,
  '%': sql`%`,
}

export const isArithmetic = (operator: string): operator is Operator => Object.hasOwn(SYMBOLS, operator)

/** What arithmetic needs of the compiler around it. */
export interface Surroundings {
  compile(node: Expression): Typed
  /** Takes note of a condition under which a divisor is zero. */
  division(zero: Sql): void
}

/** Part of a formula whose overflow is looked for at the end only, once for all of it. */
interface Term {
  readonly sql: Sql
  readonly type: 'BIGINT' | 'DOUBLE'
  /** Conditions under which it is rightly NULL. */
  readonly missing: readonly Sql[]
  readonly computed: boolean
  readonly constant?: number
}

/**
 * `+ - * / %` and the minus sign: whole numbers exactly, in 64 bits, all others in doubles. A chain is one formula
 * that is checked as a whole: `try` turns overflow into NULL, and NULL without a missing operand is the error, which
 * carries the place. Leaves that are more than a name are computed first, each once.
 */
export function arithmetic(node: Expression, span: Span, around: Surroundings): Typed {
  const lets: { readonly local: Local; readonly value: Sql }[] = []
  const leaf = (value: Typed): Term => {
    const number = numberOf(value)
    const type = number.type as Term['type']
    if (number.constant !== undefined && number.constant !== null)
      return { sql: number.sql, type, missing: [], computed: false, constant: Number(number.constant) }
    if (isSimple(number.sql))
      return { sql: number.sql, type, missing: [sql`${number.sql} IS NULL`], computed: false }
    const local = new Local()
    lets.push({ local, value: number.sql })
    const reference = new Sql(['', ''], [local])
    return { sql: reference, type, missing: [sql`${reference} IS NULL`], computed: false }
  }
  const term = (part: Expression): Term => {
    if (part.kind === 'unary' && part.operator === '-') return negate(term(part.operand))
    if (part.kind === 'binary' && isArithmetic(part.operator))
      return combine(part.operator, term(part.left), term(part.right))
    return leaf(around.compile(part))
  }
  const combine = (operator: Operator, left: Term, right: Term): Term => {
    const divides = operator === '/' || operator === '%'
    if (divides && !right.constant) around.division(letIn(lets, sql`coalesce(${right.sql} = 0, false)`))
    const whole = left.type === 'BIGINT' && right.type === 'BIGINT' && operator !== '/'
    const [a, b] = whole ? [left.sql, right.sql] : [asDouble(left, span), asDouble(right, span)]
    const divisor = divides && !right.constant ? sql`nullif(${b}, 0)` : b
    return {
      sql: sql`(${a} ${SYMBOLS[operator]} ${divisor})`,
      type: whole ? 'BIGINT' : 'DOUBLE',
      missing: [
        ...left.missing,
        ...right.missing,
        ...(divides && !right.constant ? [sql`${right.sql} = 0`] : []),
      ],
      computed: true,
    }
  }
  const result = term(node)
  return typed(letIn(lets, checked(result, span)), result.type)
}

const negate = (operand: Term): Term => ({
  sql: sql`(- ${operand.sql})`,
  type: operand.type,
  missing: operand.missing,
  computed: true,
})

const asDouble = (term: Term, span: Span): Sql =>
  term.type === 'DOUBLE' ? term.sql : sql`${checked(term, span)}::DOUBLE`

const checked = (term: Term, span: Span): Sql =>
  term.computed ? withinRange(typed(term.sql, term.type), term.missing, span) : term.sql

/** The value, NULL where an operand is missing, an error with its place where it is too large. */
function withinRange(value: Typed, missing: readonly Sql[], span: Span): Sql {
  const failure = sql`error(${literal(overflowMessage(span))})`
  if (value.type === 'DOUBLE')
    return once(
      value.sql,
      v => sql`CASE WHEN isfinite(${v}) OR ${v} IS NULL THEN ${v} ELSE ${failure}::DOUBLE END`,
    )
  const rightly =
    missing.length > 0
      ? sql`CASE WHEN ${join(missing, ' OR ')} THEN NULL ELSE ${failure}::BIGINT END`
      : sql`${failure}::BIGINT`
  return sql`coalesce(try(${value.sql}), ${rightly})`
}

/** For functions whose result may be too large, such as a power. */
export const finite = (value: Sql, span: Span): Typed =>
  typed(withinRange(typed(value, 'DOUBLE'), [], span), 'DOUBLE')

function letIn(lets: readonly { readonly local: Local; readonly value: Sql }[], body: Sql): Sql {
  return lets.reduceRight(
    (inner, { local, value }) => sql`list_transform([${value}], lambda ${local}: ${inner})[1]`,
    body,
  )
}
