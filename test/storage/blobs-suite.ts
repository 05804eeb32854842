import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import type { Blobs } from '../../src/storage/blobs/blobs.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = async (stream: Readable | undefined) => stream && (await buffer(stream)).toString()
const names = async (blobs: Blobs, folder?: string) =>
  (await Array.fromAsync(blobs.list(folder), blob => blob.name)).sort()

/** What any store of blobs has to do. */
export function blobsSuite(name: string, open: () => Blobs): void {
  describe(name, () => {
    it('gives back what was put, whole and in part', async () => {
      const blobs = open()
      assert.deepEqual(await blobs.put('stages/a.parquet', bytes('0123456789')), {
        name: 'stages/a.parquet',
        bytes: 10,
      })
      assert.equal(await read(await blobs.get('stages/a.parquet')), '0123456789')
      assert.equal(await read(await blobs.get('stages/a.parquet', { start: 2, end: 4 })), '234')
      assert.equal(await read(await blobs.get('stages/a.parquet', { start: 7 })), '789')
      assert.deepEqual(await blobs.stat('stages/a.parquet'), { name: 'stages/a.parquet', bytes: 10 })
      await blobs.close()
    })

    it('takes a stream, and replaces a blob of the same name', async () => {
      const blobs = open()
      await blobs.put('a', bytes('old and longer'))
      async function* parts() {
        yield bytes('new ')
        yield bytes('')
        yield bytes('one')
      }
      await blobs.put('a', parts())
      assert.equal(await read(await blobs.get('a')), 'new one')
      await blobs.put('empty', [])
      assert.equal(await read(await blobs.get('empty')), '')
      await blobs.close()
    })

    it('names by content, and keeps the same content once', async () => {
      const blobs = open()
      const hash = createHash('sha256').update('picture').digest('hex')
      const first = await blobs.putHashed('screenshots', bytes('picture'))
      const second = await blobs.putHashed('screenshots', [bytes('pic'), bytes('ture')])
      assert.deepEqual(first, { name: `screenshots/${hash}`, bytes: 7, hash })
      assert.deepEqual(second, first)
      assert.deepEqual(await names(blobs), [`screenshots/${hash}`])
      await blobs.close()
    })

    it('shows nothing of a write that failed, and keeps what was there', async () => {
      const blobs = open()
      await blobs.put('a', bytes('before'))
      async function* broken() {
        yield bytes('half')
        throw new Error('the source broke')
      }
      await assert.rejects(blobs.put('a', broken()), /the source broke/)
      await assert.rejects(blobs.put('b', broken()), /the source broke/)
      assert.equal(await read(await blobs.get('a')), 'before')
      assert.deepEqual(await names(blobs), ['a'])
      assert.equal(await blobs.sweep(new Date(Date.now() + 60_000)), 0, 'nothing was left behind')
      await blobs.close()
    })

    it('moves in a file that was made elsewhere', async () => {
      const blobs = open()
      const file = blobs.scratch('.parquet')
      writeFileSync(file, 'columns')
      assert.deepEqual(await blobs.adopt(file, 'stages/b.parquet'), { name: 'stages/b.parquet', bytes: 7 })
      assert.equal(await read(await blobs.get('stages/b.parquet')), 'columns')
      await assert.rejects(blobs.adopt(file, 'stages/c.parquet'), /ENOENT/)
      await blobs.close()
    })

    it('sweeps what nobody finished, and nothing else', async () => {
      const blobs = open()
      await blobs.put('a', bytes('kept'))
      writeFileSync(blobs.scratch(), 'left over')
      assert.equal(await blobs.sweep(new Date(Date.now() - 60_000)), 0, 'it is too young')
      assert.equal(await blobs.sweep(new Date(Date.now() + 60_000)), 1)
      assert.deepEqual(await names(blobs), ['a'])
      await blobs.close()
    })

    it('lists by folder, deletes, and says when there is none', async () => {
      const blobs = open()
      for (const name of ['x/1', 'x/y/2', 'z/3']) await blobs.put(name, bytes(name))
      assert.deepEqual(await names(blobs, 'x'), ['x/1', 'x/y/2'])
      assert.deepEqual(await names(blobs, 'nothing'), [])
      assert.equal(await blobs.delete('x/1'), true)
      assert.equal(await blobs.delete('x/1'), false)
      assert.equal(await blobs.get('x/1'), undefined)
      assert.equal(await blobs.stat('x'), undefined, 'a folder is not a blob')
      assert.deepEqual(await names(blobs), ['x/y/2', 'z/3'])
      await blobs.close()
    })

    it('refuses names that could lead elsewhere', async () => {
      const blobs = open()
      for (const name of [
        '',
        '.',
        '..',
        '../a',
        'a/../b',
        '/a',
        'a//b',
        'a/',
        '.part/a',
        'a\0',
        'a b',
        'x'.repeat(600),
      ])
        await assert.rejects(blobs.put(name, bytes('x')), /not a name/, JSON.stringify(name))
      await blobs.close()
    })
  })
}
