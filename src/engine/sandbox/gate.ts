import { nearest } from '../../language/nearest.ts'
import { TableError } from '../tables/errors.ts'
import { functions, tableFunctions } from './functions.ts'

/** What `json_serialize_sql` gives of a text: SELECT statements as a tree, or why it is none. */
export interface SerializedSql {
  readonly error: boolean
  readonly error_message?: string
  readonly error_type?: string
  readonly statements?: readonly unknown[]
}

/** Kinds of expression and of node that a plain SELECT is made of. What is not listed is refused, whatever it is. */
const EXPRESSIONS = new Set(
  'BETWEEN CASE CAST COLLATE COLUMN_REF COMPARISON CONJUNCTION CONSTANT FUNCTION LAMBDA LAMBDA_REF OPERATOR POSITIONAL_REFERENCE STAR SUBQUERY WINDOW'.split(
    ' ',
  ),
)
const NODES = new Set(
  'SELECT_NODE SET_OPERATION_NODE RECURSIVE_CTE_NODE CTE_NODE BASE_TABLE EMPTY EXPRESSION_LIST JOIN PIVOT SUBQUERY TABLE_FUNCTION DISTINCT_MODIFIER LIMIT_MODIFIER LIMIT_PERCENT_MODIFIER ORDER_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING'.split(
    ' ',
  ),
)
const TYPE_INFO = /^[A-Z_]+_TYPE_INFO$/

type Node = Readonly<Record<string, unknown>>

/** Throws unless the tree is one SELECT that reads these tables and calls what computes and nothing else. */
export function checkSelect(sql: SerializedSql, tables: readonly string[]): void {
  if (sql.error) throw notSelect(sql)
  if (sql.statements?.length !== 1)
    throw refused(
      `sql takes one SELECT statement, not ${sql.statements?.length ?? 0}.`,
      'Use a WITH clause for steps in between.',
    )
  new Walk(tables).visit(sql.statements[0], new Set(tables.map(table => table.toLowerCase())))
}

class Walk {
  readonly #tables: readonly string[]

  constructor(tables: readonly string[]) {
    this.#tables = tables
  }

  visit(part: unknown, scope: ReadonlySet<string>): void {
    if (Array.isArray(part)) for (const item of part) this.visit(item, scope)
    else if (part !== null && typeof part === 'object') this.#node(part as Node, scope)
  }

  #node(node: Node, scope: ReadonlySet<string>): void {
    const inner = withNames(node, scope)
    if (typeof node.class === 'string') this.#expression(node, node.class)
    else if (typeof node.type === 'string') this.#tableOrClause(node, node.type, inner)
    for (const [key, value] of Object.entries(node))
      if (node.type === 'TABLE_FUNCTION' && key === 'function') this.visit((value as Node).children, inner)
      else this.visit(value, inner)
  }

  #expression(node: Node, kind: string): void {
    if (kind === 'PARAMETER')
      throw refused('sql takes no parameters such as ? or $1.', 'Write the value into the text.')
    if (!EXPRESSIONS.has(kind)) throw refused(`sql cannot use this kind of expression: ${kind}.`)
    if (kind === 'FUNCTION' || kind === 'WINDOW') checkCall(node, functions, 'function')
  }

  #tableOrClause(node: Node, kind: string, scope: ReadonlySet<string>): void {
    if (kind === 'SHOW_REF')
      throw refused(
        'SHOW, DESCRIBE and SUMMARIZE are not available in sql.',
        'The command `summarize` tells of every column.',
      )
    if (!NODES.has(kind) && !TYPE_INFO.test(kind)) throw refused(`sql cannot use this: ${kind}.`)
    if (kind === 'BASE_TABLE') this.#table(node, scope)
    if (kind === 'TABLE_FUNCTION') checkCall(node.function as Node, tableFunctions, 'table function')
  }

  #table(node: Node, scope: ReadonlySet<string>): void {
    const name = String(node.table_name)
    const qualified = node.catalog_name || node.schema_name
    if (!qualified && scope.has(name.toLowerCase())) return
    const shown = [node.catalog_name, node.schema_name, name].filter(Boolean).join('.')
    const near = nearest(name, this.#tables)
    throw refused(
      `There is no table ${JSON.stringify(shown)} here.`,
      `sql reads ${this.#tables.map(table => `\`${table}\``).join(', ')}${near ? `; did you mean \`${near}\`?` : ' and the names of its WITH clause; files and the catalog cannot be read.'}`,
    )
  }
}

/** The names of a WITH clause are known in the query that it belongs to, and nowhere else. */
function withNames(node: Node, scope: ReadonlySet<string>): ReadonlySet<string> {
  const map = (node.cte_map as { map?: readonly { key: unknown }[] } | undefined)?.map ?? []
  const names = map.map(entry => String(entry.key).toLowerCase())
  if (typeof node.cte_name === 'string') names.push(node.cte_name.toLowerCase())
  return names.length > 0 ? new Set([...scope, ...names]) : scope
}

function checkCall(call: Node, allowed: ReadonlySet<string>, what: string): void {
  const name = String(call.function_name)
  const known = allowed.has(name.toLowerCase())
  // The parser itself writes `main` where it makes a call of `[1, 2]` or `{a: 1}`.
  const plain = (call.schema === '' || call.schema === 'main') && call.catalog === ''
  if (known && plain) return
  const near = nearest(name, [...allowed])
  throw refused(
    `The ${what} ${JSON.stringify(name)} is not available in sql.`,
    near && near !== name
      ? `Did you mean \`${near}\`?`
      : 'Only functions that compute from their arguments are.',
  )
}

function notSelect(sql: SerializedSql): TableError {
  if (sql.error_type === 'parser' || sql.error_type === 'syntax')
    return new TableError('sql_syntax', `The SQL does not parse: ${sql.error_message ?? 'unknown error'}`)
  return refused(
    'sql runs a SELECT and nothing else.',
    'Statements that write, change settings or load anything are refused, and so is PIVOT without an IN list.',
  )
}

const refused = (message: string, hint?: string): TableError => new TableError('sql_refused', message, hint)
