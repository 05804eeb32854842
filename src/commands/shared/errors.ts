import { type Relation, where } from '../../sql/relation.ts'
import { name, sql } from '../../sql/sql.ts'

/** The rows that did not fail in an earlier stage. */
export function withoutErrors(relation: Relation): Relation {
  const column = relation.columns.find(candidate => candidate.name === '_error')
  return column ? where(relation, sql`${name(column.id)} IS NULL`) : relation
}
