import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { type CredentialTypeName, credentialTypeNames } from '../../src/credentials/credential-type.ts'
import { credentialTypes } from '../../src/credentials/types.ts'
import type { CallOptions } from '../http/support.ts'
import { forage } from '../support/service.ts'
import { standIn } from './stand-in.ts'

/** Secrets are planted with this in them, and nothing that can be read may hold it. */
const MARK = 'PLANTED-9f2c'
const planted = (where: string) => `${MARK}-${where}`
/** In base64 a text looks different at each of three offsets, less what its neighbours share with it. */
const forms: readonly Buffer[] = [
  MARK,
  ...[0, 1, 2].map(offset =>
    Buffer.from(' '.repeat(offset) + MARK)
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  ),
].map(text => Buffer.from(text))

const server = await forage({ settings: { FORAGE_LOG_LEVEL: 'debug' } })
const service = await standIn()
const seen: { readonly what: string; readonly text: string }[] = []

/** Calls and remembers the answer: whatever it is, no secret may be in it. */
async function call(method: string, path: string, options: CallOptions = {}) {
  const answer = await server.call(method, path, options)
  seen.push({ what: `${method} ${path}`, text: answer.text + JSON.stringify([...answer.headers]) })
  return answer
}

function holds(bytes: Buffer): boolean {
  return forms.some(form => bytes.includes(form))
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
/** A key in PEM with a mark that the parser skips. */
const pem = `${privateKey.export({ type: 'pkcs8', format: 'pem' })}\n${planted('gcp')}`

const tokenUrl = `${service.url}/token`
const fields: Record<CredentialTypeName, Record<string, string>> = {
  oauth: { grantType: 'password', tokenUrl, clientId: 'i', username: 'u' },
  custom: {},
  aws4: { region: 'eu-west-1', service: 's3' },
  splunk: {},
  openai: { baseUrl: `${service.url}/v1` },
  pinecone: {},
  okta: { domain: 'a.okta.com' },
  gcp: { client_email: 'a@b.example', token_uri: tokenUrl, private_key: pem },
}

async function plant(): Promise<void> {
  service.answer = () => ({
    body: {
      access_token: planted('token'),
      refresh_token: planted('refresh'),
      id_token: planted('id'),
      expires_in: 3600,
    },
  })
  for (const type of credentialTypeNames) {
    const secret = credentialTypes[type].fields.filter(field => field.secret && !fields[type][field.name])
    const marked = Object.fromEntries(secret.map(field => [field.name, planted(`${type}-${field.name}`)]))
    const config = { credential: { name: type }, credentials: { [type]: { ...fields[type], ...marked } } }
    const headers = { 'idempotency-key': `make-${type}` }
    assert.equal(
      (await call('POST', '/v1/secrets/credentials', { body: { type, config }, headers })).status,
      201,
    )
    // Wrong in one field: the answer names it, and not the others' values.
    const wrong = { ...config, credentials: { [type]: { ...fields[type], ...marked, [planted('x')]: 1 } } }
    const refused = await server.call('POST', '/v1/secrets/credentials', { body: { type, config: wrong } })
    assert.equal(refused.status, 400)
  }
  for (const [path, name] of [
    ['secrets', 'mine'],
    ['vault', 'proxy'],
  ] as const) {
    const body = { name, secret: planted(name) }
    assert.equal((await call('POST', `/v1/secrets/${path}`, { body })).status, 201)
  }
  for (const name of ['echo', 'fail']) {
    const config = {
      store: { name },
      configuration: { url: `${service.url}/${name}` },
      credentials: { bearer: planted('store-bearer'), headers: { 'X-Key': planted('store-header') } },
    }
    const body = { type: 'http', config }
    assert.equal((await call('POST', '/v1/secrets/stores', { body })).status, 201)
    await call('POST', `/v1/secrets/stores/${name}/test`)
  }
  const user = { username: 'anna', password: planted('password') }
  assert.equal((await call('POST', '/v1/secrets/users', { body: { credential: user } })).status, 201)
  await call('POST', '/v1/secrets/users/verify', {
    body: { credential: { ...user, password: planted('guess') } },
  })
  await call('PUT', '/v1/secrets/users/anna', {
    body: { credential: { ...user, password: planted('new'), oldpassword: planted('password') } },
  })
  assert.equal(
    (await call('POST', '/session', { body: { username: 'anna', password: planted('new') }, key: null }))
      .status,
    201,
  )
}

/** A proxy that asks for its password and passes the request on. */
async function startProxy(): Promise<string> {
  const expected = `Basic ${Buffer.from(`me:${planted('proxy')}`).toString('base64')}`
  const proxy = createServer(async (request, response) => {
    if (request.headers['proxy-authorization'] !== expected) {
      response.writeHead(407).end()
      return
    }
    const answer = await fetch(request.url!).catch(() => new Response('{}', { status: 502 }))
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  after(() => proxy.close())
  return `127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

/** Queries that use every secret in every place, against a service that repeats what it was sent. */
function queries(proxy: string): string[] {
  const echo = `${service.url}/echo`
  const uses = [
    ...credentialTypeNames.map(type => `--credentials.${type} ${type}`),
    '--bearer $CREDENTIALS.oauth$',
    '--bearer $CREDENTIALS.gcp$',
    '--bearer $SECRETS.mine$',
    '--basic me:$SECRETS.mine$',
    `--headers '{"X-Key": "$SECRETS.mine$", "X-Url": "$SECRETS.mine|url$"}'`,
    `--query '{"key": "$SECRETS.mine$"}'`,
    `--proxy "http://me:$SECRETS.proxy$@${proxy}"`,
  ]
  const succeed = uses.flatMap(use => [
    `api get ${echo} ${use}`,
    `api get ${echo}?x=${uses.indexOf(use)} ${use} --meta`,
  ])
  const fail = uses.flatMap(use => [
    `api get ${service.url}/fail ${use} --retry 0`,
    `api get http://127.0.0.1:1/x?key=$SECRETS.mine$ ${use} --retry 0`,
    `seed [{a: 1}, {a: 2}] || api get ${service.url}/fail?$a$ ${use} --retry 0 --onError fail`,
  ])
  return [
    ...succeed,
    ...fail,
    `api get ${echo}/$SECRETS.mine$?k=$SECRETS.mine$ --meta`,
    `api post ${echo} --data '{"k": "$SECRETS.mine$"}'`,
    `api post ${echo} --data 'k=$SECRETS.mine|url$'`,
    `api post ${echo} --form '{"k": "$CREDENTIALS.openai$"}'`,
    `api post ${service.url}/fail --data '{"k": "$SECRETS.mine$"}' --retry 0`,
    `oauth --credential oauth || api get ${echo} --bearer $token.access_token$ --enrich`,
    ...credentialTypeNames.map(type => `auth --credential ${type}`),
    `auth --credential okta || addcolumn copy $token.access_token$`,
    `seed {a: 1} || webhook ${echo}?k=$SECRETS.mine$ --bearer $SECRETS.mine$`,
    `seed {a: 1} || webhook ${service.url}/fail?k=$SECRETS.mine$ --bearer $SECRETS.mine$ --retry 0`,
    'prompt "Hello" --credential openai --retry 0',
    'seed {a: 1} || freeze --store echo',
    'seed {a: 1} || freeze --store fail --retry 0',
    `api get ${echo} --proxy "http://me:$SECRETS.mine$@${proxy}" --retry 0`,
    `api get ${echo} --useragent $SECRETS.mine$`,
    'api get $SECRETS.mine$',
  ]
}

/** Every file below a folder. */
function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

it('no secret is in any file, log line, answer, plan, record, metric or error', async () => {
  await plant()
  let failed = 0
  for (const query of queries(await startProxy())) {
    await call('POST', '/v1/sirp/query/parse', { body: { query } })
    const { json } = await call('POST', '/v1/sirp/query/runner/dispatch/wait', { body: { query } })
    if (json.status !== 'completed') failed++
    if (json.id === undefined) continue
    for (const part of ['', '/status', '/results', '/stages', '/commands', '/summary'])
      await call('GET', `/v1/sirp/queries/${json.id}${part}`)
  }
  assert.ok(failed > 40, `${failed} queries failed`)
  await getEverything()

  // They really were sent: otherwise nothing was tested.
  const sent = JSON.stringify([service.requests, service.bodies, service.asked.map(String)])
  for (const where of [
    'token',
    'mine',
    'okta-token',
    'openai-apiKey',
    'oauth-password',
    'splunk-token',
    'store-bearer',
    'store-header',
  ])
    assert.ok(sent.includes(planted(where)), `${where} was sent`)
  assert.ok(
    service.requests.some(({ headers }) => String(headers.authorization).startsWith('AWS4-HMAC-SHA256')),
  )

  for (const { what, text } of seen)
    assert.ok(!holds(Buffer.from(text)), `in the answer of ${what}:\n${text.slice(0, 2000)}`)
  for (const line of server.logged) assert.ok(!holds(Buffer.from(line)), `in the log: ${line}`)
  await server.stop()
  const found = files(server.data)
  assert.ok(found.length > 50, `${found.length} files`)
  for (const file of found) assert.ok(!holds(readFileSync(file)), `in the file ${file}`)
})

/** Every GET route of the document, with ids and names that are there. */
async function getEverything(): Promise<void> {
  const { json: document } = await call('GET', '/v1/openapi.json')
  const id = (await call('GET', '/v1/sirp/queries')).json.items[0].id
  const key = (await call('GET', '/v1/secrets/apikeys')).json.items[0].id
  const routes = Object.entries<Record<string, unknown>>(document.paths).filter(
    ([, methods]) => 'get' in methods,
  )
  for (const [path] of routes) {
    if (path.endsWith('/events')) continue
    for (const name of credentialTypeNames) {
      const filled = path
        .replace('apikeys/{id}', `apikeys/${key}`)
        .replace('{id}', id)
        .replace('{stage}', '0')
        .replace('{username}', 'anna')
        .replaceAll(/\{\w+\}/g, name)
      await call('GET', filled)
      if (filled === path) break
    }
  }
  for (const path of ['/metrics', '/healthz', '/readyz', '/docs', '/session']) await call('GET', path)
}
