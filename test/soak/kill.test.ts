import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Blobs } from '../../src/storage/blobs/blobs.ts'
import { openFolderBlobs } from '../../src/storage/blobs/folder.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { ownDataFolder } from '../../src/storage/data-folder.ts'
import { temporaryFolder } from '../support/temporary.ts'

const writer = fileURLToPath(new URL('writer.child.ts', import.meta.url))
const rounds = 25

/** Lets a writer work, kills it at some moment, and gives what it had acknowledged. */
async function writeAndKill(data: string): Promise<[name: string, hash: string][]> {
  const child = spawn(process.execPath, [writer, data], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  await once(child.stdout, 'data')
  await sleep(Math.random() * 300)
  child.kill('SIGKILL')
  await once(child, 'close')
  const whole = output.slice(0, output.lastIndexOf('\n'))
  return whole.split('\n').map(line => line.split(' ') as [string, string])
}

it(`loses nothing that was acknowledged in ${rounds} times kill -9`, async t => {
  const data = join(temporaryFolder(), 'data')
  const acknowledged = new Map<string, string>()
  for (let round = 0; round < rounds; round++) {
    const latest = await writeAndKill(data)
    for (const [name, hash] of latest) acknowledged.set(name, hash)

    const folder = ownDataFolder(data)
    const catalog = openSqliteCatalog({ path: folder.catalogFile })
    const kept = new Map(
      (await catalog.db.selectFrom('meta').selectAll().execute()).map(row => [row.name, row.value]),
    )
    const files = new Set(
      (await catalog.db.selectFrom('files').select('name').execute()).map(row => row.name),
    )
    assert.deepEqual(new Set(kept.keys()), files, 'both tables of a transaction or neither')
    for (const [name, hash] of acknowledged) assert.equal(kept.get(name), hash)

    const blobs = openFolderBlobs(folder.blobsFolder)
    for (const [name, hash] of latest) assert.equal(await hashOf(blobs, `soak/${name}`), hash)
    for await (const { name } of blobs.list()) {
      const expected = kept.get(name.slice('soak/'.length))
      // One that the catalog does not know was written whole too: a blob appears when it is complete.
      if (expected !== undefined) assert.equal(await hashOf(blobs, name), expected)
      await blobs.delete(name)
    }
    await blobs.sweep(new Date(Date.now() + 60_000))
    await catalog.close()
    folder.release()
  }
  t.diagnostic(`${acknowledged.size} writes in ${rounds} crashes`)
})

async function hashOf(blobs: Blobs, name: string): Promise<string> {
  const content = await buffer((await blobs.get(name))!)
  return createHash('sha256').update(content).digest('hex')
}
