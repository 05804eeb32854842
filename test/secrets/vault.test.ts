import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { secretsPage } from '../../scripts/docs/secrets.ts'
import type { CliCommand } from '../../src/cli/command.ts'
import { licenseKey } from '../../src/cli/license-key.ts'
import { licenseSign } from '../../src/cli/license-sign.ts'
import { vaultRotate } from '../../src/cli/vault-rotate.ts'
import { credentialFlags } from '../../src/commands/http/flags.ts'
import { aws4, signature } from '../../src/credentials/aws4.ts'
import type { Outgoing } from '../../src/credentials/credential-type.ts'
import { credentialTypeNames } from '../../src/credentials/credential-type.ts'
import { Fault } from '../../src/fault.ts'
import { LicoriceService } from '../../src/services/licorice/service.ts'
import { loadMasterKey, nextKeyFile } from '../../src/services/secrets/master-key.ts'
import { rotateMasterKey } from '../../src/services/secrets/rotation.ts'
import { Seal } from '../../src/services/secrets/seal.ts'
import { Vault } from '../../src/services/secrets/vault.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { forage } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
let count = 0
const newCatalog = () => openSqliteCatalog({ path: join(folder, `${++count}.sqlite`) })
const isFault = (code: string) => (error: Error) => error instanceof Fault && error.code === code
const here = { type: 'credential', name: 'mine' }

describe('sealing', () => {
  const key = randomBytes(32)
  const seal = new Seal(key, 1)

  it('gives back what was sealed, and seals the same text differently each time', () => {
    for (const text of ['', 'x', 'ü'.repeat(100_000)]) {
      const [one, two] = [seal.seal(here, text), seal.seal(here, text)]
      assert.notEqual(one, two)
      assert.deepEqual([seal.open(here, one), seal.open(here, two)], [text, text])
    }
  })

  it('does not open under another name, type, version or key, nor after any change', () => {
    const sealed = seal.seal(here, 'secret')
    assert.throws(() => seal.open({ ...here, name: 'other' }, sealed))
    assert.throws(() => seal.open({ ...here, type: 'store' }, sealed))
    assert.throws(() => new Seal(key, 2).open(here, sealed))
    assert.throws(() => new Seal(randomBytes(32), 1).open(here, sealed))
    const bytes = Buffer.from(sealed, 'base64')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      assert.throws(() => seal.open(here, changed.toString('base64')), `byte ${at}`)
    }
    assert.throws(() => seal.open(here, bytes.subarray(0, -1).toString('base64')))
  })
})

describe('a change of the master key', () => {
  const prepared = async () => {
    const catalog = newCatalog()
    const file = join(folder, `${count}.key`)
    const origin = { given: undefined, file, catalog }
    const vault = await Vault.open(catalog, await loadMasterKey(origin))
    for (const name of ['a', 'b', 'c']) await vault.put({ type: 'credential', name }, `secret ${name}`)
    const read = async () => {
      const opened = await Vault.open(catalog, await loadMasterKey(origin))
      return Promise.all(['a', 'b', 'c'].map(name => opened.get({ type: 'credential', name })))
    }
    return { catalog, file, origin, read, text: readFileSync(file, 'utf8') }
  }
  const all = ['secret a', 'secret b', 'secret c']

  it('seals everything anew, and the old key opens nothing any more', async () => {
    const { catalog, file, origin, read, text } = await prepared()
    assert.deepEqual(await rotateMasterKey({ ...origin, to: undefined }), { sealed: 3 })
    assert.notEqual(readFileSync(file, 'utf8'), text)
    assert.equal(existsSync(nextKeyFile(file)), false)
    assert.deepEqual(await read(), all)
    const rows = await catalog.db.selectFrom('vault').select('key_version').execute()
    assert.deepEqual(
      rows.map(row => row.key_version),
      [2, 2, 2],
    )
    await assert.rejects(loadMasterKey({ ...origin, given: text.trim() }), isFault('master_key'))
    await rotateMasterKey({ ...origin, to: undefined })
    assert.deepEqual(await read(), all)
  })

  it('that crashes before, in or after its one step leaves every secret readable', async () => {
    const before = await prepared()
    writeFileSync(nextKeyFile(before.file), `${randomBytes(32).toString('hex')}\n`)
    assert.deepEqual(await before.read(), all)
    assert.equal(existsSync(nextKeyFile(before.file)), false)

    const inside = await prepared()
    // The third secret does not open: the transaction fails after two of them.
    await inside.catalog.db.updateTable('vault').set({ sealed: 'AAAA' }).where('name', '=', 'c').execute()
    await assert.rejects(rotateMasterKey({ ...inside.origin, to: undefined }))
    assert.deepEqual((await inside.read().catch(() => [])).length, 0)
    await inside.catalog.db.deleteFrom('vault').where('name', '=', 'c').execute()
    assert.deepEqual(await inside.read(), ['secret a', 'secret b', undefined])

    const after = await prepared()
    await rotateMasterKey({ ...after.origin, to: undefined })
    // As if the process had died before the new key took the place of the old one.
    writeFileSync(nextKeyFile(after.file), readFileSync(after.file))
    writeFileSync(after.file, after.text)
    assert.deepEqual(await after.read(), all)
    assert.equal(existsSync(nextKeyFile(after.file)), false)
  })

  it('from a key that is given goes to the one in the file that is named', async () => {
    const { origin, text } = await prepared()
    const given = text.trim()
    const to = join(folder, `${count}.new`)
    await assert.rejects(rotateMasterKey({ ...origin, given, to: undefined }), isFault('usage'))
    await assert.rejects(rotateMasterKey({ ...origin, to }), isFault('usage'))
    await rotateMasterKey({ ...origin, given, to })
    await assert.rejects(loadMasterKey({ ...origin, given }), isFault('master_key'))
    await loadMasterKey({ ...origin, given: readFileSync(to, 'utf8').trim() })
    const same = { ...origin, given: readFileSync(to, 'utf8').trim(), to }
    await assert.rejects(rotateMasterKey(same), isFault('master_key'))
  })
})

/** Runs a command of `forage` in this process. */
async function run(
  command: CliCommand,
  file: string,
  options: Record<string, string>,
  env = {},
): Promise<string> {
  let printed = ''
  const print = (text: string) => {
    printed += text
  }
  assert.equal(await command.run({ arguments: { file }, options, env, print }), 0)
  return printed
}

describe('forage vault rotate and forage license', () => {
  it('seals the secrets of a stopped server anew, and refuses beside a running one', async () => {
    const data = join(folder, 'data')
    const env = { FORAGE_DATA: data }
    const running = await forage({ data })
    const made = await running.call('POST', '/v1/secrets/secrets', { body: { name: 'kept', secret: 'x' } })
    assert.equal(made.status, 201)
    await assert.rejects(run(vaultRotate, '', {}, env), isFault('folder_owned'))
    await running.stop()
    const key = readFileSync(join(data, 'master.key'), 'utf8').trim()
    assert.equal(await run(vaultRotate, '', {}, env), 'Sealed 1 secrets anew.')
    await assert.rejects(run(vaultRotate, '', {}, { ...env, FORAGE_MASTER_KEY: key }), isFault('master_key'))
    const again = await forage({ data })
    assert.equal((await again.call('GET', '/v1/secrets/secrets')).json.total, 1)
    await again.stop()
    await assert.rejects(
      run(vaultRotate, '', {}, { FORAGE_DATA: join(folder, 'none') }),
      isFault('folder_unusable'),
    )
  })

  it('makes a key and a license that an installation with that key takes', async () => {
    const file = join(folder, 'license.pem')
    const publicKey = await run(licenseKey, file, {})
    assert.equal(await run(licenseKey, file, {}), publicKey)
    const options = { holder: 'Example Ltd', services: 'krull,sirp', expires: '2099-12-31' }
    const signed = await run(licenseSign, file, options)
    const wrong = [{}, { ...options, services: 'nothing' }, { ...options, expires: 'soon' }]
    for (const bad of wrong) await assert.rejects(run(licenseSign, file, bad), isFault('usage'))
    await assert.rejects(run(licenseSign, join(folder, 'none.pem'), options), isFault('failure'))
    const { addedAt, ...said } = await new LicoriceService(newCatalog(), publicKey).add(signed)
    assert.deepEqual(said, {
      plan: 'standard',
      holder: 'Example Ltd',
      services: ['krull', 'sirp'],
      expires: '2099-12-31T00:00:00.000Z',
    })
  })
})

describe('AWS Signature 4', () => {
  const suite = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
  }
  const at = new Date('2015-08-30T12:36:00Z')
  const signed = (request: Partial<Outgoing> & { path?: string }, fields = suite, when = at) => {
    const { path = '/', url = new URL(`https://example.amazonaws.com${path}`), ...rest } = request
    return signature({ method: 'GET', headers: {}, body: undefined, url, ...rest }, fields, when)
      .authorization!
  }
  const code = (text: string) => /Signature=(.*)$/.exec(text)![1]

  it('gives the values of the published test suite', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const cases: [string, Parameters<typeof signed>[0], string][] = [
      ['get-vanilla', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
      [
        'get-vanilla-query-order-key-case',
        { path: '/?Param2=value2&Param1=value1' },
        'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
      ],
      [
        'get-vanilla-utf8-query',
        { path: '/?ሴ=bar' },
        '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
      ],
      [
        'get-header-value-trim',
        { headers: { 'my-header1': ' value1', 'my-header2': ' "a   b   c"' } },
        'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
      ],
      [
        'get-header-key-duplicate',
        { headers: { 'my-header1': ['value2', 'value2', 'value1'] } },
        'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
      ],
      [
        'post-vanilla',
        { method: 'POST' },
        '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
      ],
      [
        'post-x-www-form-urlencoded',
        { method: 'POST', headers: form, body: 'Param1=value1' },
        'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
      ],
    ]
    for (const [name, request, expected] of cases) assert.equal(code(signed(request)), expected, name)
    assert.equal(
      signed({}),
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    )
  })

  it('gives the values of the published examples for S3', () => {
    const fields = {
      ...suite,
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      service: 's3',
    }
    const when = new Date('2013-05-24T00:00:00Z')
    const bucket = (path: string) => new URL(`https://examplebucket.s3.amazonaws.com${path}`)
    const get = { url: bucket('/test.txt'), headers: { range: 'bytes=0-9' } }
    assert.equal(
      code(signed(get, fields, when)),
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
    const put = {
      method: 'PUT',
      url: bucket('/test$file.text'),
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: 'Welcome to Amazon S3.',
    }
    assert.equal(
      code(signed(put, fields, when)),
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    )
    const list = { url: bucket('/?max-keys=2&prefix=J') }
    assert.equal(
      code(signed(list, fields, when)),
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    )
  })

  it('reads region and service from the host', () => {
    const scope = (host: string) => {
      const { region: _, service: __, ...fields } = suite
      const headers = aws4.authorize(
        { method: 'GET', url: new URL(`https://${host}/`), headers: {}, body: undefined },
        fields,
        '',
      )
      return /\d{8}\/(.*)\/aws4_request/.exec(headers.authorization!)![1]
    }
    assert.equal(scope('sqs.eu-central-1.amazonaws.com'), 'eu-central-1/sqs')
    assert.equal(scope('bucket.s3.us-gov-west-1.amazonaws.com'), 'us-gov-west-1/s3')
    assert.equal(scope('bucket.s3.dualstack.eu-west-1.amazonaws.com'), 'eu-west-1/s3')
    assert.equal(scope('search-x.us-east-2.es.amazonaws.com'), 'us-east-2/es')
    assert.equal(scope('iam.amazonaws.com'), 'us-east-1/iam')
    assert.equal(scope('abc.execute-api.ap-south-1.amazonaws.com'), 'ap-south-1/execute-api')
    assert.throws(() => scope('storage.example.com'), /region and the service/)
  })
})

it('api has a flag for every type of credential', () => {
  assert.deepEqual(
    credentialFlags.map(flag => flag.name),
    credentialTypeNames.map(type => `credentials.${type}`),
  )
})

it('docs/secrets.md says what the declarations say (npm run generate)', () => {
  assert.equal(readFileSync(new URL('../../docs/secrets.md', import.meta.url), 'utf8'), secretsPage())
})
