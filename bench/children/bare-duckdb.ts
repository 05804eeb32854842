// DuckDB by itself: the same work in SQL that somebody would write by hand.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { serve } from '../child.ts'
import type { Task } from '../million.ts'

const [, , folder, memoryMb] = process.argv
const instance = await DuckDBInstance.create(':memory:', {
  memory_limit: `${memoryMb}MB`,
  temp_directory: join(folder!, 'bare'),
})
const connection = await instance.connect()

const FORMATS = {
  // As our own files are written, so that only the work on the rows differs.
  parquet: 'FORMAT parquet, ROW_GROUP_SIZE 20480, COMPRESSION zstd, COMPRESSION_LEVEL 1',
  csv: 'FORMAT csv',
}

let input = ''

/** Not a view: `file_row_number` would not be seen through it. */
const over = (query: string): string => query.replaceAll('FROM input', `FROM read_parquet('${input}')`)

async function time({ peer }: Task): Promise<number> {
  const file = join(folder!, 'bare.out')
  const began = performance.now()
  if ('read' in peer) await (await connection.run(over(peer.read))).getRows()
  else await connection.run(`COPY (${over(peer.copy)}) TO '${file}' (${FORMATS[peer.as]})`)
  const took = performance.now() - began
  rmSync(file, { force: true })
  return took
}

async function summary(): Promise<number> {
  const began = performance.now()
  await (await connection.run(over('SUMMARIZE SELECT * FROM input'))).getRows()
  return performance.now() - began
}

serve({
  open: (file: string) => {
    input = file
  },
  time,
  summary,
})
