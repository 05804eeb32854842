import { basename, join } from 'node:path'
import type { KeptTable } from '../../engine/cellar.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Column } from '../../sql/relation.ts'

interface KeptRow {
  readonly file: string
  readonly columns: string
  readonly rows: number
  readonly version: string
}

/** What the catalog knows of a table that is kept; names are kept, not paths, so that a data folder can be moved. */
export const keptTable = (folder: string, row: KeptRow): KeptTable => ({
  table: {
    file: join(folder, row.file),
    columns: JSON.parse(row.columns) as Column[],
    rows: Number(row.rows),
    bytes: 0,
  },
  version: row.version,
})

/** A file as the catalog books it: from then on it lives as long as somebody refers to it. */
export const fileRow = (table: StageFile, now: string) => ({
  name: basename(table.file),
  bytes: table.bytes,
  created_at: now,
})
