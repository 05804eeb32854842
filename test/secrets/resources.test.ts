import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { credentialTypeNames } from '../../src/credentials/credential-type.ts'
import { credentialTypes } from '../../src/credentials/types.ts'
import { MASK } from '../../src/services/secrets/mask.ts'
import { type Answer, startServer } from '../http/support.ts'

const server = await startServer()
const { call } = server
const at = (path: string, name: string) => `${path}/${encodeURIComponent(name)}`
const length = (count: number) => '😀'.repeat(count)

/** Sends a body with a field of each of these lengths; gives the statuses. */
async function statuses(
  method: string,
  path: string,
  lengths: readonly number[],
  body: (text: string, index: number) => unknown,
): Promise<number[]> {
  const found: number[] = []
  for (const [index, count] of lengths.entries())
    found.push((await call(method, path, { body: body(length(count), index) })).status)
  return found
}

/** Every body field that a 400 complains about. */
const complaints = ({ json }: Answer): string[] => json.errors.map((item: { path: string }) => item.path)

const namedTexts = [
  { path: '/v1/secrets/checkpoints', field: 'checkpoint' },
  { path: '/v1/secrets/prompts', field: 'prompt' },
]
for (const { path, field } of namedTexts)
  describe(`${field}s`, () => {
    it('are made, read, listed, changed and deleted', async () => {
      const made = await call('POST', path, { body: { name: 'last / run', [field]: 'one' } })
      assert.equal(made.status, 201)
      const where = at(path, 'last / run')
      assert.equal(made.headers.get('location'), where)
      assert.deepEqual((await call('GET', where)).json, made.json)
      assert.equal((await call('POST', path, { body: { name: 'last / run', [field]: 'x' } })).status, 409)
      const changed = await call('PUT', where, { body: { [field]: 'two' } })
      assert.deepEqual([changed.status, changed.json[field]], [200, 'two'])
      const { items, total } = (await call('GET', path)).json
      assert.deepEqual([items, total], [[changed.json], 1])
      assert.deepEqual(
        [(await call('DELETE', where)).status, (await call('DELETE', where)).status],
        [204, 404],
      )
      for (const method of ['GET', 'PUT'])
        assert.equal(
          (await call(method, where, method === 'PUT' ? { body: { [field]: 'x' } } : {})).status,
          404,
        )
    })

    it('have their limits on both sides', async () => {
      const name = await statuses('POST', path, [0, 1, 1000, 1001], name => ({ name, [field]: 'x' }))
      assert.deepEqual(name, [400, 201, 201, 400])
      const values = (text: string, i: number) => ({ name: `value ${i}`, [field]: text })
      assert.deepEqual(await statuses('POST', path, [0, 1, 10_000, 10_001], values), [400, 201, 201, 400])
      const update = (text: string) => ({ [field]: text })
      const where = at(path, 'value 1')
      assert.deepEqual(await statuses('PUT', where, [0, 1, 10_000, 10_001], update), [400, 200, 200, 400])
      for (const [count, status] of [
        [1000, 200],
        [1001, 400],
      ] as const)
        assert.equal((await call('GET', at(path, length(count)))).status, status)
      assert.deepEqual(complaints(await call('POST', path, { body: {} })), ['$.name', `$.${field}`])
      const extra = await call('POST', path, { body: { name: 'a', [field]: 'b', more: 1 } })
      assert.deepEqual(complaints(extra), ['$.more'])
    })

    it('changed by two at once lose nothing silently', async () => {
      const made = await call('POST', path, { body: { name: 'shared', [field]: '0' } })
      const headers = { 'if-match': made.headers.get('etag')! }
      const answers = await Promise.all(
        ['1', '2', '3', '4'].map(text =>
          call('PUT', at(path, 'shared'), { body: { [field]: text }, headers }),
        ),
      )
      assert.deepEqual(answers.map(answer => answer.status).sort(), [200, 412, 412, 412])
      const winner = answers.find(answer => answer.status === 200)!
      assert.equal((await call('GET', at(path, 'shared'))).json[field], winner.json[field])
      assert.equal((await call('DELETE', at(path, 'shared'), { headers })).status, 412)
    })
  })

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const samples: Record<(typeof credentialTypeNames)[number], Record<string, string>> = {
  oauth: {
    grantType: 'client_credentials',
    tokenUrl: 'https://id.example/token',
    clientId: 'me',
    clientSecret: 's-oauth',
  },
  custom: { value: 's-custom' },
  aws4: { accessKeyId: 's-id', secretAccessKey: 's-key' },
  splunk: { token: 's-splunk' },
  openai: { apiKey: 's-openai' },
  pinecone: { apiKey: 's-pinecone' },
  okta: { domain: 'a.okta.com', token: 's-okta' },
  gcp: { type: 'service_account', client_email: 'a@b.example', private_key: pem },
}
const path = '/v1/secrets/credentials'
const given = (type: keyof typeof samples, name: string, fields = samples[type], hosts?: string[]) => ({
  type,
  config: { credential: { name, ...(hosts && { hosts }) }, credentials: { [type]: fields } },
})

describe('credentials', () => {
  for (const type of credentialTypeNames)
    it(`of type ${type} are made and shown with their secrets masked, which an update keeps`, async () => {
      const made = await call('POST', path, { body: given(type, type) })
      assert.equal(made.status, 201, made.text)
      const secrets = credentialTypes[type].fields.filter(field => field.secret).map(field => field.name)
      const shown = made.json.config.credentials[type]
      for (const [name, value] of Object.entries(samples[type])) {
        assert.equal(shown[name], secrets.includes(name) ? MASK : value, name)
        if (secrets.includes(name)) assert.ok(!made.text.includes(JSON.stringify(value)), name)
      }
      const back = { type, config: { ...made.json.config, credential: { name: type, hosts: ['API.b.com'] } } }
      const updated = await call('PUT', at(path, type), { body: back })
      assert.equal(updated.status, 200, updated.text)
      assert.deepEqual(updated.json.config.credential.hosts, ['api.b.com'])
      assert.notEqual(updated.json.version, made.json.version)
      assert.deepEqual(await opened(type), samples[type])
      assert.deepEqual((await call('GET', at(path, type))).json, updated.json)
    })

  const opened = async (name: string) =>
    (await server.secrets.credentials.open(name))?.fields as Record<string, string> | undefined

  it('name every wrong field, and never its value', async () => {
    const wrong = await call('POST', path, {
      body: given('aws4', 'x', { accessKeyId: 'hunter2hunter2', secretAccesKey: 'hunter2hunter2' }),
    })
    assert.equal(wrong.status, 400)
    const aws4 = '$.config.credentials.aws4'
    assert.deepEqual(complaints(wrong).sort(), [`${aws4}.secretAccesKey`, `${aws4}.secretAccessKey`])
    assert.ok(!wrong.text.includes('hunter2'))
    assert.equal((await call('POST', path, { body: { type: 'github', config: {} } })).status, 400)
    assert.equal((await call('POST', path, { body: { type: 'custom' } })).status, 400)
    for (const hosts of [['https://a.b'], ['a.b:80'], ['a b'], ['*'], ['a/b'], ['']])
      assert.equal(
        (await call('POST', path, { body: given('custom', 'h', samples.custom, hosts) })).status,
        400,
      )
    for (const hosts of [['a.b'], ['*.b.com'], ['127.0.0.1'], ['localhost'], ['müller.example']]) {
      const name = `host ${hosts}`
      assert.equal(
        (await call('POST', path, { body: given('custom', name, samples.custom, hosts) })).status,
        201,
      )
    }
  })

  it('refuse a mask that stands for nothing, and a name that is not that of the path', async () => {
    assert.equal((await call('POST', path, { body: given('custom', 'm', { value: MASK }) })).status, 400)
    await call('POST', path, { body: given('custom', 'kept') })
    const other = await call('PUT', at(path, 'kept'), { body: given('splunk', 'kept', { token: MASK }) })
    assert.deepEqual(complaints(other), ['$.config.credentials.splunk.token'])
    assert.equal((await call('PUT', at(path, 'kept'), { body: given('custom', 'else') })).status, 400)
    assert.deepEqual(await opened('kept'), samples.custom)
    assert.equal((await call('PUT', at(path, 'none'), { body: given('custom', 'none') })).status, 404)
  })

  it('have names of 1 to 1000 characters and values of 1 to 100000', async () => {
    const named = (name: string) => given('custom', name)
    assert.deepEqual(await statuses('POST', path, [0, 1, 1000, 1001], named), [400, 201, 201, 400])
    const valued = (value: string, i: number) => given('custom', `long ${i}`, { value })
    assert.deepEqual(await statuses('POST', path, [0, 1, 100_000, 100_001], valued), [400, 201, 201, 400])
    assert.equal((await call('GET', at(path, length(1000)))).status, 200)
  })

  it('of oauth need what their grant needs', async () => {
    const tokenUrl = 'https://id.example/token'
    const cases: [Record<string, string>, string[]][] = [
      [{ grantType: 'client_credentials' }, ['clientId', 'clientSecret', 'tokenUrl']],
      [{ grantType: 'password', tokenUrl }, ['username', 'password']],
      [{ grantType: 'refresh_token', tokenUrl }, ['refreshToken']],
      [{ grantType: 'authorization_code', tokenUrl }, ['clientId', 'authorizationUrl']],
      [{ grantType: 'password', provider: 'github', username: 'a', password: 'b' }, ['grantType']],
      [{ grantType: 'implicit', tokenUrl }, ['grantType']],
      [{ grantType: 'refresh_token', tokenUrl: 'ftp://x', refreshToken: 'r' }, ['tokenUrl']],
    ]
    for (const [fields, missing] of cases) {
      const answer = await call('POST', path, { body: given('oauth', 'o', fields) })
      const paths = missing.map(name => `$.config.credentials.oauth.${name}`)
      assert.deepEqual(complaints(answer), paths, JSON.stringify(fields))
    }
    const known = { grantType: 'authorization_code', provider: 'github', clientId: 'me' }
    assert.equal((await call('POST', path, { body: given('oauth', 'known', known) })).status, 201)
  })

  it('changed by two at once lose nothing silently, also when only a secret differs', async () => {
    const made = await call('POST', path, { body: given('custom', 'both', { value: '0' }) })
    const headers = { 'if-match': made.headers.get('etag')! }
    const answers = await Promise.all(
      ['1', '2', '3'].map(value =>
        call('PUT', at(path, 'both'), { body: given('custom', 'both', { value }), headers }),
      ),
    )
    assert.deepEqual(answers.map(answer => answer.status).sort(), [200, 412, 412])
    assert.equal((await call('DELETE', at(path, 'both'), { headers })).status, 412)
    assert.equal((await call('DELETE', at(path, 'both'))).status, 204)
    assert.equal((await call('DELETE', at(path, 'both'))).status, 404)
  })

  it('are described: a schema for each type, and the providers of OAuth', async () => {
    const { items } = (await call('GET', '/v1/secrets/credential-schemas')).json
    assert.deepEqual(
      items.map((item: { type: string }) => item.type),
      credentialTypeNames,
    )
    const aws4 = (await call('GET', '/v1/secrets/credential-schemas/aws4')).json
    assert.deepEqual(aws4, items[2])
    assert.deepEqual(aws4.secrets, [
      'config.credentials.aws4.accessKeyId',
      'config.credentials.aws4.secretAccessKey',
      'config.credentials.aws4.sessionToken',
    ])
    assert.equal((await call('GET', '/v1/secrets/credential-schemas/none')).status, 404)
    const mappings = (await call('GET', '/v1/secrets/oauth/mappings?limit=1000')).json
    assert.equal(mappings.items.length, mappings.total)
    const github = mappings.items.find((item: { provider: string }) => item.provider === 'github')
    assert.equal(github.tokenUrl, 'https://github.com/login/oauth/access_token')
    for (const { tokenUrl, authorizationUrl } of mappings.items)
      for (const url of [tokenUrl, authorizationUrl ?? tokenUrl])
        assert.equal(new URL(url).protocol, 'https:')
  })
})

describe('secrets', () => {
  it('are made by both routes, listed without their values, and deleted', async () => {
    const one = await call('POST', '/v1/secrets/secrets', {
      body: { name: 'one', secret: 'hunter2', metadata: { type: 'x', more: 1 }, providerType: 'p' },
    })
    assert.equal(one.status, 201, one.text)
    assert.equal(one.json.type, 'custom')
    const two = await call('POST', '/v1/secrets/vault', {
      body: { name: 'one', type: 'store', secret: 'hunter2' },
    })
    assert.equal(two.status, 201, two.text)
    assert.equal((await call('POST', '/v1/secrets/vault', { body: { name: 'one' } })).status, 409)
    const list = await call('GET', '/v1/secrets/secrets')
    assert.deepEqual([list.json.total, list.json.items], [2, [one.json, two.json]])
    assert.ok(!(one.text + two.text + list.text).includes('hunter2'))
    assert.equal(await server.secrets.custom.value('one'), 'hunter2')
    assert.equal((await call('DELETE', two.headers.get('location')!)).status, 204)
    assert.equal((await call('DELETE', '/v1/secrets/secrets/one')).status, 204)
    assert.equal((await call('DELETE', '/v1/secrets/secrets/one')).status, 404)
    assert.equal(await server.secrets.custom.value('one'), undefined)
  })

  it('are never another resource, and have their limits', async () => {
    const path = '/v1/secrets/secrets'
    for (const type of ['store', 'credential', 'custom', 'apikey', 'user', 'checkpoint', 'prompt'])
      assert.equal((await call('POST', path, { body: { name: 'same', type, secret: 'x' } })).status, 201)
    assert.equal((await call('GET', '/v1/secrets/credentials/same')).status, 404)
    assert.equal((await call('GET', '/v1/secrets/checkpoints/same')).status, 404)
    assert.deepEqual(await statuses('POST', path, [0, 1, 250, 251], name => ({ name })), [400, 201, 201, 400])
    const valued = (secret: string, i: number) => ({ name: `v${i}`, secret })
    assert.deepEqual(await statuses('POST', path, [0, 1, 100_000, 100_001], valued), [400, 201, 201, 400])
    for (const body of [
      {},
      { name: 'a', type: 'x' },
      { name: 'a', metadata: [] },
      { name: 'a', metadata: { type: 1 } },
    ])
      assert.equal((await call('POST', path, { body })).status, 400)
  })
})
