import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ForageError } from '../../src/errors.ts'
import { publicKeyText, signLicense } from '../../src/services/licorice/license.ts'
import { LicoriceService } from '../../src/services/licorice/service.ts'
import { Patience } from '../../src/services/secrets/patience.ts'
import { Sessions } from '../../src/services/secrets/sessions.ts'
import { Users } from '../../src/services/secrets/users.ts'
import { type ServiceName, serviceNames } from '../../src/services/service.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { type CallOptions, startServer } from '../http/support.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
let count = 0
const newCatalog = () => openSqliteCatalog({ path: join(folder, `${++count}.sqlite`) })

const server = await startServer()
const { call } = server
const users = '/v1/secrets/users'
const login = (username: string, password: string, more = {}) => ({
  credential: { username, password, ...more },
})

describe('API keys', () => {
  it('the last one stays while there is no user', async () => {
    const { items } = (await call('GET', '/v1/secrets/apikeys')).json
    const where = `/v1/secrets/apikeys/${items[0].id}`
    const refused = await call('DELETE', where)
    assert.deepEqual([refused.status, refused.json.code], [409, 'wrong_state'])
    const second = (await call('POST', '/v1/secrets/apikeys')).json
    assert.equal((await call('DELETE', `/v1/secrets/apikeys/${second.id}`)).status, 204)
  })
})

describe('users', () => {
  it('are made, verified, changed with the old password, and deleted', async () => {
    const made = await call('POST', users, { body: login('anna', 'first') })
    assert.equal(made.status, 201, made.text)
    assert.equal((await call('POST', users, { body: login('anna', 'x') })).status, 409)
    const verify = async (password: string) =>
      (await call('POST', `${users}/verify`, { body: login('anna', password) })).json
    assert.deepEqual([await verify('first'), await verify('wrong')], [{ valid: true }, { valid: false }])
    const update = (password: string, oldpassword: string) =>
      call('PUT', `${users}/anna`, { body: login('anna', password, { oldpassword }) })
    assert.equal((await update('second', 'wrong')).status, 403)
    assert.equal((await update('second', 'first')).status, 200)
    assert.deepEqual([await verify('first'), await verify('second')], [{ valid: false }, { valid: true }])
    assert.equal((await call('PUT', `${users}/anna`, { body: login('anna', 'x') })).status, 400)
    const renamed = login('else', 'x', { oldpassword: 'second' })
    assert.equal((await call('PUT', `${users}/anna`, { body: renamed })).status, 400)
    const list = await call('GET', users)
    assert.deepEqual(
      list.json.items.map((user: { username: string }) => user.username),
      ['anna'],
    )
    const stored = JSON.stringify(await server.catalog.db.selectFrom('users').selectAll().execute())
    assert.ok(stored.includes('$argon2id$v=19$') && !(stored + list.text).includes('second'))
    assert.equal((await call('DELETE', `${users}/anna`)).status, 204)
    assert.equal((await call('DELETE', `${users}/anna`)).status, 404)
  })

  it('have names and passwords of 1 to 1000 characters', async () => {
    const statuses = async (body: (text: string) => unknown) =>
      Promise.all(
        [0, 1, 1000, 1001].map(async n => (await call('POST', users, { body: body('é'.repeat(n)) })).status),
      )
    assert.deepEqual(await statuses(name => login(name, 'x')), [400, 201, 201, 400])
    assert.deepEqual(await statuses(password => login(`p${password.length}`, password)), [400, 201, 201, 400])
    assert.equal((await call('DELETE', `${users}/${encodeURIComponent('é'.repeat(1000))}`)).status, 204)
  })

  it('answer the same to an unknown user and a wrong password', async () => {
    await call('POST', users, { body: login('real', 'right') })
    const told = async (username: string) => {
      const { status, json } = await call('POST', `${users}/verify`, { body: login(username, 'wrong') })
      return [status, json]
    }
    assert.deepEqual(await told('real'), [200, { valid: false }])
    assert.deepEqual(await told('nobody'), [200, { valid: false }])
  })

  it('make every name wait after failures, also with the right password, also one that is no user', async () => {
    let now = 0
    const catalog = newCatalog()
    const book = new Users(catalog, () => now)
    await book.create({ username: 'real', password: 'right' })
    const outcomes = async (username: string) => {
      const found: string[] = []
      for (let i = 0; i < 6; i++)
        found.push(await book.verify({ username, password: 'wrong' }).then(String, error => error.message))
      return found
    }
    const known = await outcomes('real')
    assert.deepEqual(known.slice(0, 5), Array(5).fill('false'))
    assert.match(known[5]!, /Too many failed attempts/)
    assert.deepEqual(await outcomes('nobody'), known)
    const right = () => book.verify({ username: 'real', password: 'right' })
    await assert.rejects(right(), /Too many failed attempts/)
    now = 1000
    assert.equal(await right(), true)
    assert.equal(await book.verify({ username: 'real', password: 'wrong' }), false)
    assert.equal(await right(), true)
    await catalog.close()
  })

  it('wait 1, 2, 4 seconds and so on, at most a minute, until one is right', () => {
    let now = 0
    const patience = new Patience(() => now)
    const waits: number[] = []
    for (let i = 0; i < 14; i++) {
      patience.failed('a')
      const from = now
      while (!allows(patience, 'a')) now += 500
      waits.push((now - from) / 1000)
    }
    assert.deepEqual(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
    patience.succeeded('a')
    patience.failed('a')
    assert.ok(allows(patience, 'a'))
  })

  const allows = (patience: Patience, name: string): boolean => {
    try {
      patience.check(name)
      return true
    } catch (error) {
      assert.ok(error instanceof ForageError && error.code === 'too_many_requests')
      return false
    }
  }
})

const cookieOf = (headers: Headers): string => headers.getSetCookie()[0]!.split(';')[0]!

describe('sessions', () => {
  /** A request of the web application. */
  const browse = (
    method: string,
    path: string,
    session: { cookie: string; csrf?: string },
    more: CallOptions = {},
  ) =>
    call(method, path, {
      ...more,
      key: null,
      headers: {
        cookie: session.cookie,
        origin: server.url,
        ...(session.csrf && { 'x-csrf-token': session.csrf }),
        ...more.headers,
      },
    })
  const signIn = async (body: unknown) => {
    const answer = await call('POST', '/session', { body, key: null })
    assert.equal(answer.status, 201, answer.text)
    return { cookie: cookieOf(answer.headers), csrf: answer.json.csrfToken as string, answer }
  }

  it('begin with a password, and end with sign-out', async () => {
    await call('POST', users, { body: login('berta', 'secret') })
    const { answer, ...session } = await signIn({ username: 'berta', password: 'secret' })
    assert.match(
      answer.headers.getSetCookie()[0]!,
      /^forage_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    const who = await browse('GET', '/session', session)
    assert.deepEqual([who.status, who.json.username, who.json.csrfToken], [200, 'berta', session.csrf])
    assert.equal((await browse('GET', '/v1/secrets/prompts', session)).status, 200)
    assert.equal((await browse('DELETE', '/session', session)).status, 204)
    assert.equal((await browse('GET', '/session', session)).status, 401)
  })

  it('under TLS have a cookie that no other host can set', async () => {
    const headers = { 'x-forwarded-proto': 'https' }
    const body = { username: 'berta', password: 'secret' }
    const answer = await call('POST', '/session', { body, key: null, headers })
    assert.match(
      answer.headers.getSetCookie()[0]!,
      /^__Host-forage_session=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    const plain = cookieOf(answer.headers).replace('__Host-', '')
    assert.equal(
      (await call('GET', '/session', { key: null, headers: { ...headers, cookie: plain } })).status,
      401,
    )
  })

  it('change nothing without the CSRF header and our own Origin', async () => {
    const { answer, ...session } = await signIn({ username: 'berta', password: 'secret' })
    const body = { name: 'by cookie', prompt: 'x' }
    const post = (more: CallOptions, used: { cookie: string; csrf?: string } = session) =>
      browse('POST', '/v1/secrets/prompts', used, { body, ...more })
    assert.equal((await post({}, { cookie: session.cookie })).status, 403)
    assert.equal((await post({}, { ...session, csrf: 'x'.repeat(43) })).status, 403)
    for (const origin of ['https://evil.example', 'null', server.url.replace('http:', 'https:')])
      assert.equal((await post({ headers: { origin } })).status, 403, origin)
    assert.equal((await call('GET', '/v1/secrets/prompts/by%20cookie')).status, 404)
    assert.equal((await post({})).status, 201)
    const foreign = {
      key: null,
      body: { username: 'berta', password: 'secret' },
      headers: { origin: 'https://evil.example' },
    }
    assert.equal((await call('POST', '/session', foreign)).status, 403)
  })

  it('end when the password is changed and when the user is deleted', async () => {
    const { answer: _, ...session } = await signIn({ username: 'berta', password: 'secret' })
    const body = login('berta', 'other', { oldpassword: 'secret' })
    assert.equal((await call('PUT', `${users}/berta`, { body })).status, 200)
    assert.equal((await browse('GET', '/session', session)).status, 401)
    const { answer: __, ...again } = await signIn({ username: 'berta', password: 'other' })
    assert.equal((await call('DELETE', `${users}/berta`)).status, 204)
    assert.equal((await browse('GET', '/session', again)).status, 401)
  })

  it('say the same of an unknown user and a wrong password', async () => {
    await call('POST', users, { body: login('carl', 'right') })
    const told = async (username: string) => {
      const answer = await call('POST', '/session', { body: { username, password: 'wrong' }, key: null })
      const { requestId, ...said } = answer.json
      return [answer.status, said, answer.headers.getSetCookie()]
    }
    assert.deepEqual(await told('carl'), await told('someone'))
    assert.equal((await told('carl'))[0], 401)
    for (const body of [{}, { username: 'a' }, { token: 'a', username: 'b', password: 'c' }])
      assert.equal((await call('POST', '/session', { body, key: null })).status, 400)
  })

  it('end after their idle time, however often they were used before', async () => {
    const catalog = newCatalog()
    const sessions = new Sessions(catalog, 60)
    const minute = (n: number) => new Date(Date.UTC(2030, 0, 1, 0, n))
    const { token } = await sessions.create('a', minute(0))
    assert.ok(await sessions.find(token, minute(59)))
    assert.ok(await sessions.find(token, minute(118)))
    assert.equal(await sessions.find(token, minute(178)), undefined)
    const long = await sessions.create('a', minute(0))
    for (let at = 0; at < 30 * 24 * 60; at += 50) await sessions.find(long.token, minute(at))
    assert.equal(await sessions.find(long.token, minute(30 * 24 * 60)), undefined)
    const stored = JSON.stringify(await catalog.db.selectFrom('sessions').selectAll().execute())
    assert.ok(!stored.includes(token) && !stored.includes(long.token))
    await catalog.close()
  })

  it('begin with a link once, and make the first user', async () => {
    const fresh = await startServer()
    const token = await fresh.secrets.signInLinks.create()
    const link = await fresh.call('POST', '/session', { body: { token }, key: null })
    assert.deepEqual([link.status, link.json.username, link.json.hasUsers], [201, null, false])
    assert.equal((await fresh.call('POST', '/session', { body: { token }, key: null })).status, 401)
    const headers = { cookie: cookieOf(link.headers), origin: fresh.url, 'x-csrf-token': link.json.csrfToken }
    const first = (name: string, used: Record<string, string>) =>
      fresh.call('POST', '/session/first-user', {
        body: { username: name, password: 'x' },
        key: null,
        headers: used,
      })
    assert.equal((await first('dora', {})).status, 401)
    assert.equal((await first('dora', { ...headers, 'x-csrf-token': '' })).status, 403)
    const made = await first('dora', headers)
    assert.deepEqual([made.status, made.json.username, made.json.hasUsers], [201, 'dora', true])
    assert.equal(made.json.demoAddress, null, 'the demo site does not run here')
    assert.equal((await first('eve', headers)).status, 401)
    const own = { cookie: cookieOf(made.headers), origin: fresh.url, 'x-csrf-token': made.json.csrfToken }
    assert.equal((await first('eve', own)).status, 409)
    // With a user there, the last key may go; then the user is the last way in.
    const [key] = (await fresh.call('GET', '/v1/secrets/apikeys')).json.items
    assert.equal((await fresh.call('DELETE', `/v1/secrets/apikeys/${key.id}`)).status, 204)
    const last = await fresh.call('DELETE', '/v1/secrets/users/dora', { key: null, headers: own })
    assert.deepEqual([last.status, last.json.code], [409, 'wrong_state'])
  })
})

describe('licenses', () => {
  const pair = generateKeyPairSync('ed25519')
  const other = generateKeyPairSync('ed25519')
  const terms = {
    plan: 'gold',
    holder: 'Example Ltd',
    services: ['krull', 'sirp'] as ServiceName[],
    expires: '2099-01-01T00:00:00.000Z',
  }
  const good = signLicense(terms, pair.privateKey)

  it('are added as JSON and as a file, listed, and cover the services that they name', async () => {
    const licorice = new LicoriceService(newCatalog(), publicKeyText(pair.privateKey))
    await licorice.start()
    const own = await startServer({ server: { licorice } })
    const path = '/v1/licorice/licenses'
    const community = (await own.call('GET', path)).json
    assert.deepEqual([community.total, community.items[0].plan], [1, 'community'])
    const added = await own.call('POST', path, {
      body: { licenseKey: { value: good, filename: 'a', encoding: '7bit' } },
    })
    assert.equal(added.status, 201, added.text)
    const { addedAt, ...said } = added.json
    assert.deepEqual(said, terms)
    assert.equal((await own.call('POST', path, { body: { licenseKey: { value: good } } })).status, 409)
    const form = new FormData()
    form.set(
      'licenseKey',
      new Blob([signLicense({ ...terms, services: ['jobs'], expires: null }, pair.privateKey)]),
      'l.txt',
    )
    const send = (data: FormData) =>
      fetch(`${own.url}${path}/upload`, {
        method: 'POST',
        body: data,
        headers: { authorization: `svc ${own.key}` },
      })
    assert.equal((await send(form)).status, 201)
    const empty = new FormData()
    empty.set('other', new Blob(['x']), 'x')
    assert.equal((await send(empty)).status, 400)
    assert.equal((await own.call('POST', `${path}/upload`, { body: {} })).status, 415)
    assert.deepEqual(
      [
        (await own.call('GET', path)).json.total,
        (await own.call('GET', `${path}?limit=1`)).json.items.length,
      ],
      [2, 1],
    )
    const { items } = (await own.call('GET', '/v1/sirp/services/license')).json
    const plans = Object.fromEntries(
      items.map((item: { service: string; plan: string }) => [item.service, item.plan]),
    )
    assert.deepEqual(
      [plans.krull, plans.jobs, plans.gonogo, items.length],
      ['gold', 'gold', 'community', serviceNames.length],
    )
    const again = new LicoriceService(newCatalog(), publicKeyText(pair.privateKey))
    assert.equal(again.list()[0]!.plan, 'community')
  })

  it('that are tampered with, foreign, expired or damaged are refused by reason', async () => {
    const licorice = new LicoriceService(newCatalog(), publicKeyText(pair.privateKey))
    const [content, signature] = good.split('.') as [string, string]
    const forged = { ...JSON.parse(Buffer.from(content, 'base64url').toString()), plan: 'platinum' }
    const cases: [string, RegExp][] = [
      [`${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`, /forged/],
      [`${content}.`, /forged/],
      [signLicense(terms, other.privateKey), /foreign/],
      [signLicense({ ...terms, expires: '2001-01-01T00:00:00.000Z' }, pair.privateKey), /expired on 2001/],
      ['nonsense', /damaged/],
      ['', /damaged/],
      [`${Buffer.from('{"plan":1}').toString('base64url')}.${signature}`, /damaged/],
    ]
    for (const [text, reason] of cases)
      await assert.rejects(licorice.add(text), (error: Error) => {
        assert.ok(error instanceof ForageError && error.code === 'license_refused')
        assert.match(error.message, reason)
        return true
      })
    await assert.rejects(new LicoriceService(newCatalog(), undefined).add(good), /FORAGE_LICENSE_KEY/)
  })

  it('stop counting when they expire', async () => {
    const licorice = new LicoriceService(newCatalog(), publicKeyText(pair.privateKey))
    await licorice.add(good)
    assert.equal(licorice.list()[0]!.plan, 'gold')
    assert.equal(licorice.list(new Date('2099-01-01T00:00:00.000Z'))[0]!.plan, 'community')
  })
})
