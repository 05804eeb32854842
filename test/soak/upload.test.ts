/** A large upload takes little memory, however large it is. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { request } from 'undici'
import { serve } from '../support/forage.ts'
import { temporaryFolder } from '../support/temporary.ts'

const MEGABYTES = 160
/** 600 as a rule, up to 700 as the collector pleases; the rows alone, held in memory, would be twice as much. */
const MOST_MB = 850
const BOUNDARY = 'the-end-of-a-part'

let rows = 0

/** A form with a CSV file in it, made as it is sent. */
function* form(): Generator<string> {
  const head = 'content-disposition: form-data; name='
  yield `--${BOUNDARY}\r\n${head}"name"\r\n\r\nlarge\r\n`
  yield `--${BOUNDARY}\r\n${head}"file"; filename="large.csv"\r\ncontent-type: text/csv\r\n\r\nid,name,price,note\n`
  for (let bytes = 0; bytes < MEGABYTES * 1024 * 1024; ) {
    const lines = Array.from({ length: 1000 }, () => {
      const n = rows++
      return `${n},"Artikel ${(n * 7919) % 100_000}, größer",${(n % 10_000) / 100},${'note '.repeat(n % 9)}\n`
    }).join('')
    bytes += Buffer.byteLength(lines)
    yield lines
  }
  yield `\r\n--${BOUNDARY}--\r\n`
}

/** The most memory that a process ever had, as Linux counts it. */
const mostMemoryMb = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

test(`an upload of ${MEGABYTES} MB stays below ${MOST_MB} MB of memory`, async t => {
  const forage = await serve(join(temporaryFolder(), 'data'))
  // Whatever fails: a server that is left behind keeps the test from ending.
  t.after(() => forage.end('SIGKILL'))
  const headers = { authorization: `Bearer ${forage.key}` }
  const { statusCode, body } = await request(`${forage.address}/v1/sirp/cellar/files`, {
    method: 'POST',
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Readable.from(form(), { objectMode: false }),
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const answer = (await body.json()) as { rows: number }
  assert.deepEqual([statusCode, answer.rows], [201, rows])
  const most = mostMemoryMb(forage.pid)
  t.diagnostic(`${rows} rows, at most ${Math.round(most)} MB`)
  assert.ok(most < MOST_MB, `${most} MB`)
  const page = await request(`${forage.address}/v1/sirp/cellar/files/large?offset=${rows - 1}`, { headers })
  const { results } = (await page.body.json()) as { results: { content: { id: number } }[] }
  assert.equal(results[0]!.content.id, rows - 1, 'in order to the last')
  assert.equal(await forage.end(), 0)
})
