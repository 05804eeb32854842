import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { openFolderBlobs } from '../../src/storage/blobs/folder.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { blobsSuite } from './blobs-suite.ts'

const folder = temporaryFolder()
let count = 0
const open = () => openFolderBlobs(join(folder, String(++count)))

blobsSuite('blobs in a folder', open)

it('blobs in a folder are files that only their owner reads', async () => {
  const blobs = open()
  await blobs.put('a/b', new Uint8Array([1, 2, 3]))
  const path = blobs.path('a/b')!
  assert.deepEqual([...readFileSync(path)], [1, 2, 3])
  assert.equal(statSync(path).mode & 0o777, 0o600)
})
