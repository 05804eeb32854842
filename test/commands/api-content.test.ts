import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { zip } from '../../demo/zip.ts'
import { CommandFailure } from '../../src/commands/failure.ts'
import { decodeText } from '../../src/commands/http/charset.ts'
import { readContent } from '../../src/commands/http/content.ts'
import { nextLink } from '../../src/commands/http/link-header.ts'
import { readElement } from '../../src/commands/http/xml-element.ts'
import { parquetRows } from '../../src/engine/tables/parquet-rows.ts'
import { stringifyJson } from '../../src/language/json.ts'
import { NetworkError } from '../../src/network/errors.ts'
import fc from '../support/fast-check.ts'
import { NetworkHarness } from './network-harness.ts'

const harness = new NetworkHarness()
before(() => harness.open())
after(() => harness.close())

const contentOf = (bytes: Buffer, type: string, name = '') =>
  readContent(
    {
      bytes,
      url: new URL(`http://a.example/${name}`),
      header: header => (header === 'content-type' ? type : undefined),
    },
    'auto',
    1_000_000,
    { warn: () => undefined, readParquet: content => parquetRows(harness.tables.database, content) },
  )

/** Rows, or a failure that tells what is wrong with the answer: never anything else. */
async function readsOrTells(bytes: Buffer, type: string): Promise<void> {
  try {
    for (const row of (await contentOf(bytes, type)).rows) stringifyJson(row)
  } catch (error) {
    assert.ok(error instanceof CommandFailure || error instanceof NetworkError, String(error))
  }
}

const TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/xml',
  'text/csv',
  'text/html',
  'text/plain; charset=utf-16',
  'application/zip',
  'application/gzip',
  '',
]

/** Bytes of a whole file with a few of them changed. */
const damaged = (whole: Buffer) =>
  fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 }).map(changes => {
    const copy = Buffer.from(whole)
    for (const [at, byte] of changes) copy[at] = byte
    return copy
  })

describe('hostile content', () => {
  it('any bytes under any type', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map(array => Buffer.from(array)),
      fc.string({ unit: 'binary', maxLength: 200 }).map(text => Buffer.from(text)),
      fc
        .string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '<', '>', '/', 'a', ',', '\n', '&') })
        .map(text => Buffer.from(text)),
    )
    await fc.assert(fc.asyncProperty(bytes, fc.constantFrom(...TYPES), readsOrTells), { numRuns: 400 })
  })

  it('archives with bytes changed', async () => {
    const packed = zip({ 'a.json': '[{"a": 1}]', 'b.csv': 'a,b\n1,2\n', 'c.zip': zip({ 'd.txt': 'x' }) })
    await fc.assert(
      fc.asyncProperty(damaged(packed), bytes => readsOrTells(bytes, 'application/zip')),
      { numRuns: 300 },
    )
    const gzipped = gzipSync('a,b\n1,2\n')
    await fc.assert(
      fc.asyncProperty(damaged(gzipped), bytes => readsOrTells(bytes, 'application/gzip')),
      { numRuns: 200 },
    )
  })

  it('Parquet with bytes changed, and the engine serves on', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => ({ id: index, name: `n${index}`, tags: [index] }))
    const { file } = await harness.tables.ingest(rows, new AbortController().signal)
    const whole = readFileSync(file)
    await fc.assert(
      fc.asyncProperty(damaged(whole), bytes => readsOrTells(bytes, 'application/vnd.apache.parquet')),
      { numRuns: 150 },
    )
    assert.equal((await contentOf(whole, 'application/vnd.apache.parquet')).rows.length, 50)
  })

  it('keys that are names of JavaScript stay keys', async () => {
    const { rows } = await contentOf(
      Buffer.from('[{"__proto__": {"a": 1}, "constructor": 2}]'),
      'application/json',
    )
    assert.equal(stringifyJson(rows[0]!), '{"__proto__":{"a":1},"constructor":2}')
    assert.equal(({} as { a?: number }).a, undefined)
  })
})

describe('small parts', () => {
  it('finds the next page in a Link header', () => {
    assert.equal(nextLink('<https://a/?p=2>; rel="next", <https://a/?p=9>; rel="last"'), 'https://a/?p=2')
    assert.equal(nextLink('</1>; rel=prev,</3,4>; title="a, \\"<b>\\""; rel="last next"'), '/3,4')
    assert.equal(nextLink('<https://a/>; rel="nextish"'), undefined)
    assert.equal(nextLink(''), undefined)
  })

  it('reads text in the charset that it says', () => {
    assert.equal(decodeText(Buffer.from([0xe9]), 'text/plain; charset=latin1'), 'é')
    assert.equal(
      decodeText(Buffer.from('<meta charset="windows-1251">\xe9', 'latin1'), 'text/html').at(-1),
      'й',
    )
    assert.equal(decodeText(Buffer.from('é'), 'text/plain'), 'é')
  })

  it('knows elements by their namespace, whatever the prefix', () => {
    const root = readElement('<a:x xmlns:a="urn:1" a:k="v"><y xmlns="urn:2"><z/></y><w/></a:x>')
    assert.deepEqual([root.namespace, root.name, root.attributes.get('a:k')], ['urn:1', 'x', 'v'])
    const [y, w] = root.children
    assert.deepEqual([y!.namespace, y!.children[0]!.namespace, w!.namespace], ['urn:2', 'urn:2', ''])
  })
})
