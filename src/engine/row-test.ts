import { LIFTED } from '../commands/mappers/lifted.ts'
import type { Expression } from '../language/expression/tree.ts'
import { type Json, parseJson, type Row, stringifyJson } from '../language/json.ts'
import { compileCondition } from '../sql/expression.ts'
import { applyLifted, withLifted } from '../sql/lift.ts'
import { type Column, identify, type Relation, ROW_NUMBER } from '../sql/relation.ts'
import { rowText } from '../sql/rows.ts'
import { bind, join, name, type Scalar, type Sql, type SqlType, sql } from '../sql/sql.ts'

type RunQuery = (query: Sql) => Promise<Row[]>

/** Whether an expression is true of one row, by the same SQL as `filter`: what the row lacks is missing. */
export async function testRow(expression: Expression, row: Row, run: RunQuery): Promise<boolean> {
  const { relation, compiled } = await withLifted(
    relationOf(row),
    columns => compileCondition(expression, columns, { missing: 'null' }),
    async (wider, calls) => {
      const [found] = await run(sql`SELECT ${rowText(wider.columns)} AS "row" FROM (${wider.sql})`)
      const missing = Object.fromEntries(wider.columns.map(column => [column.name, null]))
      const mapped = applyLifted(parseJson(String(found!.row)) as Row, calls, LIFTED)
      return relationOf({ ...missing, ...mapped })
    },
  )
  const [result] = await run(sql`SELECT ${compiled.sql} AS holds FROM (${relation.sql})`)
  return result?.holds === true
}

/** A table of this one row, without a file. */
function relationOf(row: Row): Relation {
  const names = Object.keys(row)
  const ids = identify(names)
  const columns = names.map((key, at): Column => ({ name: key, id: ids[at]!, type: typeOf(row[key]!) }))
  const values = columns.map(
    column => sql`${boundValue(row[column.name]!, column.type)} AS ${name(column.id)}`,
  )
  return {
    sql: sql`SELECT ${join([...values, sql`0 AS ${name(ROW_NUMBER)}`], ', ')}`,
    columns,
    order: [{ id: ROW_NUMBER }],
  }
}

function typeOf(value: Json): SqlType {
  if (value === null || typeof value === 'string') return 'VARCHAR'
  if (typeof value === 'boolean') return 'BOOLEAN'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'BIGINT' : 'DOUBLE'
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value ? 'BIGINT' : 'JSON'
}

const boundValue = (value: Json, type: SqlType): Sql =>
  bind(type === 'JSON' ? stringifyJson(value) : (value as Scalar), type)
