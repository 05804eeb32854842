// The clients of the stores by themselves, with the rows in memory: the same batches, nothing written down about them.
import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { Pool } from 'undici'
import { serve } from '../child.ts'
import { COLUMNS, type Good, goods } from '../goods.ts'

const rows = goods()

const timed = async (work: () => Promise<void>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function* batches(size: number): Generator<readonly Good[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

const lines = (batch: readonly Good[]): string => batch.map(row => `${JSON.stringify(row)}\n`).join('')

async function file(path: string, size: number): Promise<number> {
  const took = await timed(async () => {
    const handle = await open(`${path}.part`, 'w')
    for (const batch of batches(size)) await handle.write(lines(batch))
    await handle.sync()
    await handle.close()
    await rename(`${path}.part`, path)
  })
  await rm(path)
  return took
}

async function http(origin: string, size: number): Promise<number> {
  const pool = new Pool(origin)
  const took = await timed(async () => {
    for (const batch of batches(size)) {
      const { body, statusCode } = await pool.request({
        method: 'POST',
        path: '/',
        headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': randomUUID() },
        body: lines(batch),
      })
      await body.dump()
      if (statusCode !== 204) throw new Error(`the sink answers ${statusCode}`)
    }
  })
  await pool.close()
  return took
}

const TABLE = (integer: string, real: string, json: string): string =>
  `"id" ${integer}, "name" text, "price" text, "score" ${real}, "qty" ${integer}, "attributes" ${json}, "tags" ${json}, "rare" text, "_delivery" text PRIMARY KEY`
const INSERT = `INSERT INTO bare (${[...COLUMNS, '_delivery'].map(name => `"${name}"`).join(', ')}) VALUES `
const TAIL = ' ON CONFLICT ("_delivery") DO NOTHING'

const values = (row: Good, delivery: string): (string | number | null)[] => [
  row.id,
  row.name,
  row.price,
  row.score,
  row.qty,
  JSON.stringify(row.attributes),
  JSON.stringify(row.tags),
  row.rare ?? null,
  `${delivery}.1.${row.id}`,
]

async function sqlite(path: string, size: number): Promise<number> {
  const database = new DatabaseSync(path)
  database.exec('DROP TABLE IF EXISTS bare')
  database.exec(`CREATE TABLE bare (${TABLE('integer', 'real', 'text')})`)
  const delivery = randomUUID()
  const took = await timed(async () => {
    const insert = database.prepare(`${INSERT}(${'?,'.repeat(COLUMNS.length)}?)${TAIL}`)
    for (const batch of batches(size)) {
      database.exec('BEGIN IMMEDIATE')
      for (const row of batch) insert.run(...values(row, delivery))
      database.exec('COMMIT')
    }
  })
  database.close()
  return took
}

async function postgresql(port: number, size: number): Promise<number> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  await client.connect()
  await client.query('DROP TABLE IF EXISTS bare')
  await client.query(`CREATE TABLE bare (${TABLE('bigint', 'double precision', 'jsonb')})`)
  const delivery = randomUUID()
  const took = await timed(async () => {
    for (const batch of batches(size)) {
      let number = 0
      const tuple = () => `(${[...COLUMNS, ''].map(() => `$${++number}`).join(',')})`
      const text = `${INSERT}${batch.map(tuple).join(',')}${TAIL}`
      await client.query(
        text,
        batch.flatMap(row => values(row, delivery)),
      )
    }
  })
  await client.end()
  return took
}

serve({ file, http, sqlite, postgresql })
