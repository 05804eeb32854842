import type { Relation } from '../../sql/relation.ts'
import { sql } from '../../sql/sql.ts'
import { typed } from '../../sql/value.ts'
import { columnNamed } from './columns.ts'
import { written } from './values.ts'

/** A fresh UUID for each row, as `_guid`. */
export const withGuid = (relation: Relation): Relation =>
  written(relation, [{ path: columnNamed('_guid'), value: typed(sql`uuid()::VARCHAR`, 'VARCHAR') }])
