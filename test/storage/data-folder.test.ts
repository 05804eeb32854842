import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Fault, type FaultCode } from '../../src/fault.ts'
import { openFolderBlobs } from '../../src/storage/blobs/folder.ts'
import { countRows } from '../../src/storage/catalog/count-rows.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { inspectDataFolder, ownDataFolder } from '../../src/storage/data-folder.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = temporaryFolder()
let count = 0
const newPath = () => join(root, String(++count))

const faultOf = (code: FaultCode, message: RegExp) => (error: unknown) =>
  error instanceof Fault && error.code === code && message.test(error.message) && error.remedy !== ''

/** A process of its own that owns the folder until it is killed. */
async function ownElsewhere(path: string): Promise<ChildProcess> {
  const module = new URL('../../src/storage/data-folder.ts', import.meta.url).href
  const program = `import { ownDataFolder } from ${JSON.stringify(module)}
    ownDataFolder(process.argv[1]); process.stdout.write('owned'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  await once(child.stdout!, 'data')
  return child
}

describe('the data folder', () => {
  it('is made for its owner alone', () => {
    const path = join(newPath(), 'deep', 'data')
    const folder = ownDataFolder(path)
    assert.equal(statSync(path).mode & 0o777, 0o700)
    assert.equal(readFileSync(join(path, 'version'), 'utf8'), '1\n')
    folder.release()
  })

  it('closes an older folder of ours that others could read', () => {
    const path = newPath()
    ownDataFolder(path).release()
    chmodSync(path, 0o755)
    ownDataFolder(path).release()
    assert.equal(statSync(path).mode & 0o777, 0o700)
  })

  it('has one owner in a process', () => {
    const path = newPath()
    const folder = ownDataFolder(path)
    assert.throws(() => ownDataFolder(path), faultOf('folder_owned', new RegExp(`process ${process.pid}`)))
    assert.equal(inspectDataFolder(path).owner?.pid, process.pid)
    folder.release()
    assert.equal(inspectDataFolder(path).owner, undefined)
    ownDataFolder(path).release()
  })

  it('has one owner among processes, and is free again after kill -9', async () => {
    const path = newPath()
    const child = await ownElsewhere(path)
    assert.throws(() => ownDataFolder(path), faultOf('folder_owned', new RegExp(`process ${child.pid}`)))
    child.kill('SIGKILL')
    await once(child, 'exit')
    ownDataFolder(path).release()
  })

  it('is refused when a newer Forage wrote it', () => {
    const path = newPath()
    ownDataFolder(path).release()
    for (const version of ['2\n', 'two']) {
      writeFileSync(join(path, 'version'), version)
      assert.throws(() => ownDataFolder(path), faultOf('newer_version', /newer Forage/))
      assert.throws(() => inspectDataFolder(path), faultOf('newer_version', /newer Forage/))
      assert.equal(readFileSync(join(path, 'version'), 'utf8'), version)
    }
  })

  it('is refused when it is a file, lies below one, or holds the files of others', () => {
    const file = newPath()
    writeFileSync(file, '')
    assert.throws(() => ownDataFolder(file), faultOf('folder_unusable', /cannot be used/))
    assert.throws(() => ownDataFolder(join(file, 'data')), faultOf('folder_unusable', /cannot be used/))
    const home = newPath()
    mkdirSync(home)
    chmodSync(home, 0o755)
    writeFileSync(join(home, 'letter.txt'), 'dear')
    assert.throws(() => ownDataFolder(home), faultOf('folder_unusable', /letter\.txt/))
    assert.deepEqual(readdirSync(home), ['letter.txt'])
    assert.equal(statSync(home).mode & 0o777, 0o755)
  })
})

const disk = mountSmallDisk(3)

describe('a full disk', { skip: disk === undefined }, () => {
  it('is said to be full, and what was acknowledged stays', async () => {
    const folder = ownDataFolder(join(disk!, 'data'))
    const blobs = openFolderBlobs(folder.blobsFolder)
    const catalog = openSqliteCatalog({ path: folder.catalogFile })
    let acknowledged = 0
    const fill = async () => {
      for (;;) {
        await catalog.db
          .insertInto('meta')
          .values({ name: `n${acknowledged}`, value: 'x'.repeat(50_000) })
          .execute()
        acknowledged++
      }
    }
    await blobs.put('kept', new Uint8Array(1000))
    const megabytes = (function* () {
      for (;;) yield new Uint8Array(1 << 20)
    })()
    await assert.rejects(blobs.put('large', megabytes), faultOf('disk_full', /no space is left/))
    assert.equal((await blobs.stat('kept'))?.bytes, 1000)
    assert.equal(await blobs.stat('large'), undefined)
    await assert.rejects(fill(), faultOf('disk_full', /no space is left/))
    assert.ok(acknowledged > 3)
    assert.equal(await countRows(catalog.db.selectFrom('meta')), acknowledged)

    await blobs.delete('kept')
    await catalog.close()
    const again = openSqliteCatalog({ path: folder.catalogFile })
    assert.equal(await countRows(again.db.selectFrom('meta')), acknowledged)
    await again.close()
    folder.release()
  })
})
