// Writes to a catalog and to blobs as fast as it can, and says of each thing on standard output when it is acknowledged.
// The test kills it in the middle.
import { createHash, randomUUID } from 'node:crypto'
import { openFolderBlobs } from '../../src/storage/blobs/folder.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { ownDataFolder } from '../../src/storage/data-folder.ts'

const folder = ownDataFolder(process.argv[2]!)
const catalog = openSqliteCatalog({ path: folder.catalogFile })
const blobs = openFolderBlobs(folder.blobsFolder)

for (;;) {
  const name = randomUUID()
  const content = Buffer.alloc(1 + Math.floor(Math.random() * 200_000), name)
  const hash = createHash('sha256').update(content).digest('hex')
  await blobs.put(`soak/${name}`, [content.subarray(0, 1000), content.subarray(1000)])
  await catalog.transaction(async db => {
    // Two tables: after a crash there are both or neither.
    await db.insertInto('files').values({ name, bytes: content.length, created_at: '' }).execute()
    await db.insertInto('meta').values({ name, value: hash }).execute()
  })
  process.stdout.write(`${name} ${hash}\n`)
}
