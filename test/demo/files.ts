import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib'
import { all, get, json, text } from './client.ts'

describe('formats', () => {
  test('NDJSON, JSON and XML have the same products', async () => {
    const lines = (await text('/data/products.ndjson')).trimEnd().split('\n')
    assert.equal(lines.length, 120)
    assert.deepEqual(
      lines.map(line => JSON.parse(line)),
      await json('/data/products.json'),
    )
    const xml = await text('/data/products.xml')
    assert.deepEqual(
      all(xml, /<product id="\d+" uid="(\d+)"/g),
      lines.map(line => /"uid":(\d+)/.exec(line)![1]),
    )
    assert.deepEqual(
      all(xml, /<p:price p:currency="USD">([\d.]+)</g).map(Number),
      lines.map(line => JSON.parse(line).price),
    )
    assert.deepEqual(all(xml, /xmlns(:?\w*)="/g), ['', ':p', ':r'])
  })

  test('CSV quotes what needs it, and is the same in the archives', async () => {
    const csv = await text('/data/products.csv')
    assert.ok(csv.startsWith('id,uid,name,'))
    assert.match(csv, /"[^"]+, and it [^"]+\n[^"]*""simply good""\."\r\n/)
    const packed = Buffer.from(await (await get('/data/products.csv.gz')).arrayBuffer())
    assert.equal(gunzipSync(packed).toString(), csv)
    const archive = Buffer.from(await (await get('/data/products.zip')).arrayBuffer())
    const files = unzip(archive)
    assert.deepEqual([...files.keys()], ['products.csv', 'categories.csv'])
    assert.equal(files.get('products.csv'), csv)
  })

  test('the HTML table has a row for each', async () => {
    assert.equal(all(await text('/data/products.html'), /<tr>(<td>)/g).length, 120)
  })

  /** By the directory at the end, as an archiver reads it. */
  function unzip(archive: Buffer): Map<string, string> {
    const end = archive.length - 22
    assert.equal(archive.readUInt32LE(end), 0x06054b50)
    const files = new Map<string, string>()
    let entry = archive.readUInt32LE(end + 16)
    for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
      const [size, length, offset] = [
        archive.readUInt32LE(entry + 20),
        archive.readUInt16LE(entry + 28),
        archive.readUInt32LE(entry + 42),
      ]
      const name = archive.toString('utf8', entry + 46, entry + 46 + length)
      const start = offset + 30 + archive.readUInt16LE(offset + 26)
      const content = inflateRawSync(archive.subarray(start, start + size))
      assert.equal(crc32(content), archive.readUInt32LE(entry + 16))
      files.set(name, content.toString())
      entry += 46 + length
    }
    return files
  }
})

describe('feeds and sitemap', () => {
  test('RSS and Atom have the same twenty, newest first', async () => {
    const rss = await text('/feed.rss')
    const atom = await text('/feed.atom')
    const names = all(rss, /<item><title>([^<]+)</g)
    assert.equal(names.length, 20)
    assert.deepEqual(all(atom, /<entry><title>([^<]+)</g), names)
    const dates = all(rss, /<pubDate>([^<]+)</g).map(date => Date.parse(date))
    assert.deepEqual(
      dates,
      dates.toSorted((a, b) => b - a),
    )
  })

  test('every address of the sitemap answers, and all products are there', async () => {
    const maps = all(await text('/sitemap.xml'), /<loc>([^<]+)</g)
    assert.equal(maps.length, 2)
    const addresses = (
      await Promise.all(maps.map(async map => all(await (await fetch(map)).text(), /<loc>([^<]+)</g)))
    ).flat()
    assert.equal(addresses.filter(address => address.includes('/product/')).length, 120)
    for (const address of addresses.filter(address => !address.includes('/product/'))) {
      assert.equal((await fetch(address.replaceAll('&amp;', '&'))).status, 200, address)
    }
  })

  test('robots.txt forbids a page that exists', async () => {
    assert.match(await text('/robots.txt'), /^Disallow: \/private$/m)
    assert.equal((await get('/private')).status, 200)
  })
})
