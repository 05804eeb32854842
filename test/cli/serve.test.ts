import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { Keys } from '../../src/services/secrets/keys.ts'
import { serviceNames } from '../../src/services/service.ts'
import { migrations } from '../../src/storage/catalog/migrations.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { ownDataFolder } from '../../src/storage/data-folder.ts'
import { forage, serve, statusOf } from '../support/forage.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = temporaryFolder()
let count = 0
const newFolder = () => join(root, String(++count))
const onFreePorts = { FORAGE_PORT: '0', FORAGE_DEMO_PORT: '0' }

describe('forage serve', { concurrency: 2 }, () => {
  it('starts on an empty folder: address, sign-in link, key, master key, ten services, browser', async () => {
    const data = newFolder()
    const first = await serve(data)
    assert.match(first.greeting, /^Forage \S+ listens on http:\/\/127\.0\.0\.1:\d+$/m)
    assert.match(first.greeting, /^Sign in: +http:\/\/127\.0\.0\.1:\d+\/sign-in#[\w-]{43} /m)
    assert.match(first.greeting, /^API key: +forage_[\w-]{43} /m)
    assert.match(first.greeting, /^Demo site: +http:\/\/127\.0\.0\.1:\d+$/m)
    assert.equal(statSync(data).mode & 0o777, 0o700)
    for (const file of ['master.key', 'catalog.sqlite'])
      assert.equal(statSync(join(data, file)).mode & 0o777, 0o600, file)
    const { items } = (await (await statusOf(first, first.key)).json()) as { items: { service: string }[] }
    assert.deepEqual(
      items.map(item => item.service),
      serviceNames,
    )
    assert.equal((await statusOf(first, 'wrong')).status, 401)
    const evaluated = await fetch(`${first.address}/v1/krull/evaluate`, {
      method: 'POST',
      headers: { authorization: `svc ${first.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ expression: '6 * 7' }),
    })
    assert.equal(((await evaluated.json()) as { result: unknown }).result, 42, 'the browser works')
    assert.ok(!readFileSync(join(data, 'catalog.sqlite')).includes(first.key!), 'the key is not kept')
    assert.equal(await first.end('SIGTERM'), 0)

    const second = await serve(data)
    assert.equal(second.key, undefined, 'the key is shown once')
    assert.equal((await statusOf(second, first.key)).status, 200)
    assert.equal(await second.end('SIGINT'), 0)
  })

  it('keeps what it acknowledged through kill -9, and starts again on the same folder', async () => {
    const data = newFolder()
    const first = await serve(data)
    const answer = await fetch(`${first.address}/v1/secrets/apikeys`, {
      method: 'POST',
      headers: { authorization: `svc ${first.key}`, 'content-type': 'application/json' },
      body: '{"name":"made just before"}',
    })
    const { key } = (await answer.json()) as { key: string }
    assert.equal(answer.status, 201)
    assert.equal(await first.end('SIGKILL'), null)
    const second = await serve(data)
    assert.equal((await statusOf(second, key)).status, 200)
    await second.end()
  })

  it('takes the key from FORAGE_API_KEY, and prints none', async () => {
    const data = newFolder()
    const served = await serve(data, { FORAGE_API_KEY: 'from-outside' })
    assert.ok(!served.greeting.includes('from-outside') && served.key === undefined)
    assert.match(served.greeting, /short enough to be guessed/)
    assert.equal((await statusOf(served, 'from-outside')).status, 200)
    await served.end()
  })

  it('shares its folder with forage key, and with no second server', async () => {
    const data = newFolder()
    const served = await serve(data)
    const created = await forage(['key', 'create', '--name', 'beside'], { FORAGE_DATA: data })
    const key = created.stdout.trim()
    assert.equal((await statusOf(served, key)).status, 200)
    const list = JSON.parse((await forage(['key', 'list', '--json'], { FORAGE_DATA: data })).stdout)
    const { id } = list.find((item: { name: string }) => item.name === 'beside')
    assert.equal((await forage(['key', 'delete', id], { FORAGE_DATA: data })).status, 0)
    assert.equal((await statusOf(served, key)).status, 401, 'it is void at once')

    const second = await forage(['serve'], { FORAGE_DATA: data, ...onFreePorts })
    assert.equal(second.status, 6)
    assert.match(second.stderr, new RegExp(`in use by process ${served.pid}`))
    assert.match(second.stderr, /What to do: /)
    assert.equal((await statusOf(served, served.key)).status, 200, 'the first one works on')
    const doctor = await forage(['doctor'], { FORAGE_DATA: data, ...onFreePorts })
    assert.match(doctor.stdout, new RegExp(`ok +folder .*in use by process ${served.pid}`))
    await served.end()
  })

  it('is off its demo site when exposed', async () => {
    const served = await serve(newFolder(), { FORAGE_EXPOSED: 'true' })
    assert.doesNotMatch(served.greeting, /Demo site/)
    await served.end()
  })

  it('starts without a browser, and says why', async () => {
    const served = await serve(newFolder(), { FORAGE_BROWSER: '/no/such/browser' })
    const { items } = (await (await statusOf(served, served.key)).json()) as {
      items: { service: string; status: string; detail: string }[]
    }
    const krull = items.find(item => item.service === 'krull')!
    assert.equal(krull.status, 'failed')
    assert.match(krull.detail, /FORAGE_BROWSER names \/no\/such\/browser/)
    assert.ok(items.every(item => item.service === 'krull' || item.status === 'running'))
    await served.end()
  })

  it('names a port that is taken, and makes no key for nothing', async () => {
    const data = newFolder()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = (other.address() as AddressInfo).port
    const { status, stderr, stdout } = await forage(['serve'], { FORAGE_DATA: data, FORAGE_PORT: `${port}` })
    assert.equal(status, 4)
    assert.match(stderr, new RegExp(`port ${port} on 127.0.0.1 is taken[\\s\\S]*What to do: .*FORAGE_PORT`))
    assert.equal(stdout, '')
    const doctor = await forage(['doctor'], {
      FORAGE_DATA: data,
      FORAGE_PORT: `${port}`,
      FORAGE_DEMO_PORT: '0',
    })
    assert.equal(doctor.status, 1)
    assert.match(doctor.stdout, new RegExp(`BAD +port +127.0.0.1:${port} is taken`))
    // A demo site without its port is no reason not to start.
    const served = await serve(data, { FORAGE_DEMO_PORT: `${port}` })
    assert.ok(served.key !== undefined, 'this is the first start that came up')
    await served.end()
    other.close()
  })

  it('names an address that is not ours', async () => {
    const { status, stderr } = await forage(['serve'], { FORAGE_DATA: newFolder(), FORAGE_HOST: '192.0.2.1' })
    assert.equal(status, 4)
    assert.match(stderr, /192\.0\.2\.1[\s\S]*FORAGE_HOST/)
  })

  it('names a folder that cannot be written', async () => {
    const file = newFolder()
    writeFileSync(file, 'in the way')
    const { status, stderr } = await forage(['serve'], { FORAGE_DATA: join(file, 'data'), ...onFreePorts })
    assert.equal(status, 5)
    assert.match(stderr, /data folder .* cannot be used[\s\S]*What to do: .*FORAGE_DATA/)
    assert.equal((await forage(['doctor'], { FORAGE_DATA: join(file, 'data'), ...onFreePorts })).status, 1)
  })

  it('refuses a damaged catalog and leaves it as it is', async () => {
    const data = newFolder()
    await (await serve(data)).end()
    const path = join(data, 'catalog.sqlite')
    writeFileSync(path, 'x'.repeat(20_000))
    const { status, stderr } = await forage(['serve'], { FORAGE_DATA: data, ...onFreePorts })
    assert.equal(status, 8)
    assert.match(stderr, /catalog\.sqlite is damaged[\s\S]*What to do: Put back a copy/)
    assert.equal(readFileSync(path, 'utf8'), 'x'.repeat(20_000))
    const doctor = await forage(['doctor'], { FORAGE_DATA: data, ...onFreePorts })
    assert.match(doctor.stdout, /BAD +folder .*is damaged/)
  })

  it('refuses a folder of a newer version', async () => {
    const data = newFolder()
    await (await serve(data)).end()
    const database = new DatabaseSync(join(data, 'catalog.sqlite'))
    database.exec("insert into migrations values (999, 'future', '')")
    database.close()
    const refused = await forage(['serve'], { FORAGE_DATA: data, ...onFreePorts })
    assert.equal(refused.status, 7)
    assert.match(refused.stderr, /newer Forage/)
  })

  it('migrates a folder of an older version after a copy of its catalog', async () => {
    const data = newFolder()
    const folder = ownDataFolder(data)
    const catalog = openSqliteCatalog({ path: folder.catalogFile, migrations: migrations.slice(0, 1) })
    const { key } = await new Keys(catalog).create('old')
    await catalog.close()
    folder.release()
    const migrated = await serve(data)
    assert.equal((await statusOf(migrated, key)).status, 200)
    assert.match(readdirSync(join(data, 'backups')).join(), /^catalog-version-1-/)
    await migrated.end()
  })

  it('refuses wrong settings by name', async () => {
    const { status, stderr } = await forage(['serve'], { FORAGE_PROT: '1', FORAGE_DATA: newFolder() })
    assert.equal(status, 3)
    assert.match(stderr, /FORAGE_PROT is not a setting; did you mean FORAGE_PORT\?/)
  })

  it('refuses another master key', async () => {
    const data = newFolder()
    await (await serve(data)).end()
    const env = { FORAGE_DATA: data, FORAGE_MASTER_KEY: 'ab'.repeat(32), ...onFreePorts }
    const { status, stderr } = await forage(['serve'], env)
    assert.equal(status, 10)
    assert.match(stderr, /FORAGE_MASTER_KEY is not the one/)
    assert.ok(!stderr.includes('abab'))
  })
})

const disk = mountSmallDisk(1)

describe('forage serve on a full disk', { skip: disk === undefined }, () => {
  it('does not start, and says so', async () => {
    writeFileSync(join(disk!, 'filler'), new Uint8Array(1000 * 1024))
    const data = join(disk!, 'data')
    const { status, stderr } = await forage(['serve'], { FORAGE_DATA: data, ...onFreePorts })
    assert.equal(status, 9)
    assert.match(stderr, /no space is left[\s\S]*What to do: Free some space/)
    assert.ok(!existsSync(join(data, 'master.key')))
  })
})
