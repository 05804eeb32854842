import type { Binary, Call, Expression, RegexNode } from '../language/expression/tree.ts'
import { flatten } from '../language/expression/walk.ts'
import { re2Pattern } from '../language/re2.ts'
import type { Token } from '../language/values.ts'
import { arithmetic, isArithmetic } from './arithmetic.ts'
import { type Comparison, compare, isBetween, isIn } from './compare.ts'
import { ExpressionError } from './errors.ts'
import type { CallContext } from './functions/implementation.ts'
import { IMPLEMENTATIONS } from './functions/index.ts'
import { contains } from './functions/text.ts'
import { coalesce } from './functions/values.ts'
import { readPath } from './path.ts'
import type { Column } from './relation.ts'
import { bind, join, type Sql, sql } from './sql.ts'
import { templateText, tokenValue } from './template.ts'
import { textOf } from './text.ts'
import { conditionOf, looseConditionOf } from './truth.ts'
import { constant, strict, type Typed, total, typed } from './value.ts'

export interface CompileOptions {
  /** What a column that the table does not have is: an error, unless the table is known to have no rows. */
  readonly missing?: 'error' | 'null'
  /** The number of the row, for `$ROW.INDEX$`. */
  readonly rowIndex?: Sql
}

/** How the names of columns begin that hold the results of lifted calls. */
export const LIFTED_PREFIX = '~lifted:'

/** A call that only JavaScript can do. Its result is wanted as a column of the name `id`. */
export interface Lifted {
  readonly id: string
  readonly function: string
  readonly args: readonly Typed[]
  /** An argument is itself lifted and not computed yet. */
  readonly waits: boolean
}

/** Turns one expression into SQL, and takes note of what running it needs. */
export class Compiler {
  readonly lifted: Lifted[] = []
  readonly divisions: Sql[] = []
  isVolatile = false
  readonly #columns: readonly Column[]
  readonly #options: CompileOptions
  /** Conditions that must hold for the part at hand to be computed at all. */
  readonly #guards: Sql[] = []
  #liftedSoFar = 0
  /** How many parts there were whose result may be too large. */
  #failures = 0

  constructor(columns: readonly Column[], options: CompileOptions) {
    this.#columns = columns
    this.#options = options
  }

  compile(node: Expression): Typed {
    switch (node.kind) {
      case 'literal':
        return constant(node.value)
      case 'path':
        return readPath(this.#columns, node.path, { ...this.#options, span: node.span })
      case 'token':
        return this.#token(node.token)
      case 'template':
        return typed(
          templateText(node.template, this.#columns, { ...this.#options, span: node.span }),
          'VARCHAR',
        )
      case 'regex':
        return this.#pattern(node)
      case 'unary':
        if (node.operator === '-') return this.#arithmetic(node)
        return total(sql`(NOT ${conditionOf(this.compile(node.operand))})`)
      case 'binary':
        return this.#binary(node)
      case 'in':
        return isIn(
          this.compile(node.operand),
          node.list.map(item => this.compile(item)),
          node.negated,
        )
      case 'between':
        return isBetween(
          this.compile(node.operand),
          this.compile(node.low),
          this.compile(node.high),
          node.negated,
        )
      case 'isNull': {
        const operand = this.compile(node.operand).sql
        return total(node.negated ? sql`(${operand} IS NOT NULL)` : sql`(${operand} IS NULL)`)
      }
      case 'call':
        return this.#call(node)
    }
  }

  #binary(node: Binary): Typed {
    const { operator } = node
    if (operator === 'and' || operator === 'or') return this.#logic(node, operator)
    if (operator === '??') return this.#firstPresent([node.left, node.right])
    if (isArithmetic(operator)) return this.#arithmetic(node)
    const left = this.compile(node.left)
    const right = this.compile(node.right)
    switch (operator) {
      case 'like':
        return strict(sql`(${textOf(left)} LIKE ${textOf(right)})`)
      case 'notLike':
        return strict(sql`(${textOf(left)} NOT LIKE ${textOf(right)})`)
      case '=~':
        return strict(sql`regexp_matches(${textOf(left)}, ${right.sql})`)
      case '!~':
        return strict(sql`(NOT regexp_matches(${textOf(left)}, ${right.sql}))`)
      case 'contains':
        return contains(left, right)
      case 'startswith':
      case 'endswith':
        return IMPLEMENTATIONS[operator]!([left, right], this.#context(OPERATOR_CALL))
      default:
        return compare(operator as Comparison, left, right)
    }
  }

  /** A chain is flat in SQL, however long. What stands to the right counts only where the left leaves it open. */
  #logic(node: Binary, operator: 'and' | 'or'): Typed {
    const depth = this.#guards.length
    const operands: Typed[] = []
    let mayFail = false
    for (const part of flatten(node)) {
      const failures = this.#failures
      const value = this.compile(part)
      mayFail ||= operands.length > 0 && this.#failures > failures
      operands.push(value)
      const condition = conditionOf(value)
      this.#guards.push(operator === 'and' ? condition : sql`(NOT ${condition})`)
    }
    this.#guards.length = depth
    if (mayFail) return total(inTurn(operands.map(conditionOf), operator))
    const glue = operator === 'and' ? ' AND ' : ' OR '
    return {
      ...total(sql`(${join(operands.map(conditionOf), glue)})`),
      loose: sql`(${join(operands.map(looseConditionOf), glue)})`,
    }
  }

  #arithmetic(node: Expression): Typed {
    this.#failures++
    return arithmetic(node, node.span, {
      compile: part => this.compile(part),
      division: zero => this.divisions.push(join([...this.#guards, zero], ' AND ')),
    })
  }

  #call(node: Call): Typed {
    if (node.name === 'if') return this.#choice(node)
    if (node.name === 'coalesce') return this.#firstPresent(node.args)
    const implementation = Object.hasOwn(IMPLEMENTATIONS, node.name) ? IMPLEMENTATIONS[node.name] : undefined
    if (!implementation)
      throw new ExpressionError('unknown_function', `${node.name}() cannot be computed here.`, {
        span: node.span,
      })
    if (MAY_OVERFLOW.has(node.name)) this.#failures++
    const pending = this.lifted.length
    const args = node.args.map(argument => this.compile(argument))
    return implementation(args, this.#context(node, this.lifted.length > pending))
  }

  #choice(node: Call): Typed {
    const [condition, then, otherwise] = node.args
    const test = this.compile(condition!)
    const branches = [
      this.#guarded(conditionOf(test), then!),
      this.#guarded(sql`(NOT ${conditionOf(test)})`, otherwise!),
    ]
    return IMPLEMENTATIONS.if!([test, ...branches], this.#context(node))
  }

  #firstPresent(nodes: readonly Expression[]): Typed {
    const depth = this.#guards.length
    const values = nodes.map(node => {
      const value = this.compile(node)
      this.#guards.push(sql`${value.sql} IS NULL`)
      return value
    })
    this.#guards.length = depth
    return coalesce(values)
  }

  #guarded(guard: Sql, node: Expression): Typed {
    this.#guards.push(guard)
    const value = this.compile(node)
    this.#guards.pop()
    return value
  }

  #context(node: Call, waits = false): CallContext {
    return {
      node,
      lift: args => this.#lift(node.name, args, waits),
      markVolatile: () => {
        this.isVolatile = true
      },
    }
  }

  /** The result is a column already when an earlier round computed it; else it is asked for. */
  #lift(name: string, args: readonly Typed[], waits: boolean): Typed {
    const id = `${LIFTED_PREFIX}${name}:${this.#liftedSoFar++}`
    const column = this.#columns.find(candidate => candidate.name === id)
    if (column) return readPath(this.#columns, { text: id, segments: [id] })
    this.lifted.push({ id, function: name, args, waits })
    return typed(sql`NULL::VARCHAR`, 'VARCHAR')
  }

  #pattern(node: RegexNode): Typed {
    const { parts } = node.template
    if (parts.every(part => typeof part === 'string')) return constant(re2Pattern(parts.join('')))
    const pieces = parts.map(part =>
      typeof part === 'string'
        ? bind(re2Pattern(part), 'VARCHAR')
        : sql`regexp_escape(${templateText({ parts: [part] }, this.#columns, { ...this.#options, span: node.span })})`,
    )
    return typed(sql`concat(${join(pieces, ', ')})`, 'VARCHAR')
  }

  #token(token: Token): Typed {
    if (token.kind === 'guid') this.isVolatile = true
    return tokenValue(token, this.#columns, { ...this.#options, span: token.span })
  }
}

const MAY_OVERFLOW = new Set(['pow', 'abs'])

/** SQL computes both sides of AND; only CASE stops where the answer is known, and so before a failure. */
function inTurn(conditions: readonly Sql[], operator: 'and' | 'or'): Sql {
  const early = conditions
    .slice(0, -1)
    .map(condition =>
      operator === 'and' ? sql`WHEN NOT ${condition} THEN false` : sql`WHEN ${condition} THEN true`,
    )
  return sql`CASE ${join(early, ' ')} ELSE ${conditions.at(-1)!} END`
}

/** Operators that are functions by another name need no call of the query's. */
const OPERATOR_CALL: Call = { kind: 'call', name: '', args: [], span: { offset: 0, length: 0 } }
