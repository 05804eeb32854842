import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import type { CredentialTypeName } from '../../src/credentials/credential-type.ts'
import { forage } from '../support/service.ts'
import { standIn } from './stand-in.ts'

const server = await forage()
const service = await standIn()
const other = await standIn()
const echo = `${service.url}/echo`

/** The first row of a query that completes. */
async function row(text: string): Promise<Record<string, unknown>> {
  const { json } = await server.query(text)
  assert.equal(json.status, 'completed', JSON.stringify(json.error))
  return json.results[0].content
}

const lastHeaders = (): Record<string, unknown> => service.requests.at(-1)!.headers
const failure = async (text: string): Promise<{ code: string; message: string }> => {
  const { json } = await server.query(text)
  assert.equal(json.status, 'failed', JSON.stringify(json))
  return json.error
}

async function credential(
  type: CredentialTypeName,
  name: string,
  fields: object,
  hosts?: readonly string[],
): Promise<void> {
  const body = {
    type,
    config: { credential: { name, ...(hosts && { hosts }) }, credentials: { [type]: fields } },
  }
  const found = await server.call('GET', `/v1/secrets/credentials/${name}`)
  const answer =
    found.status === 200
      ? await server.call('PUT', `/v1/secrets/credentials/${name}`, { body })
      : await server.call('POST', '/v1/secrets/credentials', { body })
  assert.ok(answer.status < 300, answer.text)
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })

describe('credentials on api', () => {
  it('sends each of the eight types as its service wants it', async () => {
    service.answer = form => ({
      body: { access_token: `token-of-${form.get('grant_type')}`, expires_in: 3600 },
    })
    const tokenUrl = `${service.url}/token`
    await credential('oauth', 'c-oauth', {
      grantType: 'client_credentials',
      tokenUrl,
      clientId: 'i',
      clientSecret: 's',
    })
    await credential('custom', 'c-custom', { value: 'my-value' })
    await credential('custom', 'c-scheme', { value: 'Token my-value' })
    await credential('splunk', 'c-splunk', { token: 'my-token' })
    await credential('openai', 'c-openai', { apiKey: 'my-key' })
    await credential('pinecone', 'c-pinecone', { apiKey: 'my-key' })
    await credential('okta', 'c-okta', { domain: 'a.okta.com', token: 'my-token' })
    await credential('gcp', 'c-gcp', { client_email: 'a@b.example', private_key: pem, token_uri: tokenUrl })
    const aws = { accessKeyId: 'AKID', secretAccessKey: 'key', region: 'eu-west-1', service: 's3' }
    await credential('aws4', 'c-aws4', aws)
    const expected: [string, string, string, RegExp][] = [
      ['oauth', 'c-oauth', 'authorization', /^Bearer token-of-client_credentials$/],
      ['custom', 'c-custom', 'authorization', /^Bearer my-value$/],
      ['custom', 'c-scheme', 'authorization', /^Token my-value$/],
      ['splunk', 'c-splunk', 'authorization', /^Splunk my-token$/],
      ['openai', 'c-openai', 'authorization', /^Bearer my-key$/],
      ['pinecone', 'c-pinecone', 'api-key', /^my-key$/],
      ['okta', 'c-okta', 'authorization', /^SSWS my-token$/],
      ['gcp', 'c-gcp', 'authorization', /^Bearer token-of-urn:ietf:params:oauth:grant-type:jwt-bearer$/],
      [
        'aws4',
        'c-aws4',
        'authorization',
        /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/s3\/aws4_request, /,
      ],
    ]
    for (const [type, name, header, value] of expected) {
      await row(`api get ${echo} --credentials.${type} ${name}`)
      assert.match(String(lastHeaders()[header]), value)
    }
    const wrong = await failure(`api get ${echo} --credentials.okta c-aws4`)
    assert.match(wrong.message, /is of type aws4, not okta/)
  })

  it('sends them only to their hosts, and not where a redirect leads', async () => {
    await credential('custom', 'bound', { value: 'bound-value' }, ['127.0.0.1'])
    await credential('custom', 'elsewhere', { value: 'else-value' }, ['api.example.com', '*.b.com'])
    const before = service.requests.length
    for (const flag of ['--credentials.custom elsewhere', '--bearer $CREDENTIALS.elsewhere$'])
      assert.equal((await failure(`api get ${echo} ${flag}`)).code, 'secret_host')
    assert.equal(service.requests.length, before)
    const local = other.url.replace('127.0.0.1', 'localhost')
    const to = encodeURIComponent(`${local}/echo`)
    await row(`api get ${service.url}/redirect?to=${to} --credentials.custom bound`)
    assert.equal(lastHeaders().authorization, 'Bearer bound-value')
    assert.equal(other.requests.at(-1)!.path, '/echo')
    assert.equal(other.requests.at(-1)!.headers.authorization, undefined)
    const body = `api post ${service.url}/redirect?to=${to} --data '{"k": "$CREDENTIALS.bound$"}'`
    const count = other.requests.length
    assert.equal((await failure(body)).code, 'secret_redirected')
    assert.equal(other.requests.length, count)
  })

  it('refuses names that do not exist, before anything runs', async () => {
    const before = service.requests.length
    for (const part of [
      '--credentials.oauth c-outh',
      '--bearer $CREDENTIALS.c-outh$',
      '--bearer $SECRETS.none$',
    ]) {
      const { status, json } = await server.call('POST', '/v1/sirp/query/runner/dispatch', {
        body: { query: `api get ${echo} ${part}` },
      })
      assert.deepEqual([status, json.code], [422, 'query_invalid'], part)
    }
    const oauth = await server.call('POST', '/v1/sirp/query/parse', {
      body: { query: 'oauth --credential c-outh' },
    })
    assert.deepEqual([oauth.status, oauth.json.errors[0].hint], [422, 'Did you mean c-oauth?'])
    assert.equal((await server.query('prompt "$PROMPTS.none$"')).status, 422)
    assert.equal(service.requests.length, before)
  })
})

describe('secret tokens', () => {
  it('go where a request takes them, written as each place wants it', async () => {
    const value = 'a "quoted" b&c/d\\e ü'
    await server.call('POST', '/v1/secrets/secrets', { body: { name: 'odd', secret: value } })
    await row(
      `api post ${echo}/$SECRETS.odd$?x=$SECRETS.odd$ --data '{"k": "$SECRETS.odd$", "t": "<$SECRETS.odd$>"}'`,
    )
    const url = new URL(service.requests.at(-1)!.path, 'http://x')
    assert.equal(decodeURIComponent(url.pathname), `/echo/${value}`)
    assert.equal(url.searchParams.get('x'), value)
    assert.deepEqual(JSON.parse(service.bodies.at(-1)!), { k: value, t: `<${value}>` })
    await row(`api post ${echo} --data 'plain=$SECRETS.odd$&url=$SECRETS.odd|url$&json=$SECRETS.odd|json$'`)
    assert.equal(
      service.bodies.at(-1),
      `plain=${value}&url=${encodeURIComponent(value)}&json=${JSON.stringify(value)}`,
    )
    await row(`api post ${echo} --form '{"f": "$SECRETS.odd$"}' --query '{"q": "$SECRETS.odd$"}'`)
    assert.equal(new URLSearchParams(service.bodies.at(-1)!).get('f'), value)
    await server.call('POST', '/v1/secrets/secrets', { body: { name: 'plain', secret: 'plain-secret' } })
    await row(`api get ${echo} --basic me:$SECRETS.plain$ --headers '{"X-Key": "k $SECRETS.plain$"}'`)
    const { authorization, 'x-key': key } = lastHeaders()
    const basic = Buffer.from(String(authorization).slice(6), 'base64').toString()
    assert.deepEqual([basic, key], ['me:plain-secret', 'k plain-secret'])
  })

  it('are refused everywhere else', async () => {
    for (const query of [
      'seed {a:1} || addcolumn b $SECRETS.plain$',
      'seed {a:1} || filter "a == \'$SECRETS.plain$\'"',
      `api get ${echo} --useragent $SECRETS.plain$`,
      `api get ${echo} --accept $SECRETS.plain$`,
      'prompt $SECRETS.plain$',
      'api get $SECRETS.plain$',
      'oauth --credential $CREDENTIALS.c-custom$',
    ])
      assert.equal((await server.query(query)).status, 422, query)
  })

  it('come as handles from oauth and auth, which nobody can make up', async () => {
    const { token } = (await row('oauth --credential c-oauth')) as { token: Record<string, string> }
    assert.match(token.access_token!, /^forage\.c\./)
    assert.equal(typeof token.expires_in, 'number')
    await row(`oauth --credential c-oauth || api get ${echo} --bearer $token.access_token$`)
    assert.equal(lastHeaders().authorization, 'Bearer token-of-client_credentials')
    await row(`auth --credential c-okta || api get ${echo} --headers '{"X": "$token.access_token$"}'`)
    assert.equal(lastHeaders().x, 'my-token')
    const forged = token.access_token!.replace(/.$/, last => (last === 'A' ? 'B' : 'A'))
    await row(`seed {h: "${forged}"} || api get ${echo} --bearer $h$`)
    assert.equal(lastHeaders().authorization, `Bearer ${forged}`)
    // Anywhere but where a request takes secrets it is only a text.
    assert.equal(
      (await row('auth --credential c-okta || addcolumn copy $token.access_token$')).copy,
      ((await row('auth --credential c-okta')) as { token: Record<string, string> }).token.access_token,
    )
    assert.match((await failure('auth --credential c-aws4')).message, /no single value/)
    assert.match((await failure('oauth --credential c-okta')).message, /is of type okta, not oauth/)
  })

  it('count in cache keys by their version, not by their value', async () => {
    const query = `api get ${service.url}/cached --credentials.custom versioned || table path`
    const token = `api get ${service.url}/cached2 --bearer $CREDENTIALS.versioned$ || table path`
    await credential('custom', 'versioned', { value: 'one-value' })
    const asked = (path: string) => service.counts().get(path) ?? 0
    for (let i = 0; i < 2; i++) await Promise.all([row(query), row(token)].map(async it => it))
    assert.deepEqual([asked('/cached'), asked('/cached2')], [1, 1])
    await credential('custom', 'versioned', { value: 'two-value' })
    await row(query)
    await row(token)
    assert.deepEqual([asked('/cached'), asked('/cached2')], [2, 2])
    assert.equal(lastHeaders().authorization, 'Bearer two-value')
  })
})

describe('OAuth tokens', () => {
  const tokenUrl = `${service.url}/token`

  it('are fetched once, however many rows ask, kept, and renewed before they end', async () => {
    await credential('oauth', 'many', {
      grantType: 'password',
      tokenUrl,
      username: 'u',
      password: 'p',
      scope: 'a b',
    })
    let issued = 0
    service.answer = () => ({
      body: { access_token: `many-${++issued}`, refresh_token: `refresh-${issued}`, expires_in: 3600 },
    })
    service.asked.length = 0
    const query = `range 1 20 n || api get ${echo}?n=$n$ --credentials.oauth many --cache false || count`
    await row(query)
    await row(query)
    assert.equal(service.asked.length, 1)
    const first = Object.fromEntries(service.asked[0]!)
    assert.deepEqual(first, { grant_type: 'password', username: 'u', password: 'p', scope: 'a b' })
    // One that is about to end is renewed by its refresh token, once.
    await credential('oauth', 'many', { grantType: 'password', tokenUrl, username: 'u', password: 'p' })
    service.answer = () => ({
      body: { access_token: `many-${++issued}`, refresh_token: 'r', expires_in: 0.001 },
    })
    await row(query)
    service.answer = form => ({
      body: { access_token: `renewed-by-${form.get('grant_type')}`, expires_in: 3600 },
    })
    service.asked.length = 0
    await row(query)
    assert.equal(service.asked.length, 1)
    assert.deepEqual(Object.fromEntries(service.asked[0]!), {
      grant_type: 'refresh_token',
      refresh_token: 'r',
    })
    assert.equal(lastHeaders().authorization, 'Bearer renewed-by-refresh_token')
  })

  it('begin anew when the refresh token is refused, and say why when nothing helps', async () => {
    await credential('oauth', 'fallback', {
      grantType: 'client_credentials',
      tokenUrl,
      clientId: 'i',
      clientSecret: 's',
    })
    service.answer = () => ({ body: { access_token: 'short', refresh_token: 'r', expires_in: 0.001 } })
    await row(`api get ${echo}?1 --credentials.oauth fallback`)
    service.answer = form =>
      form.has('refresh_token')
        ? { status: 400, body: { error: 'invalid_grant' } }
        : { body: { access_token: 'anew' } }
    await row(`api get ${echo}?2 --credentials.oauth fallback`)
    assert.equal(lastHeaders().authorization, 'Bearer anew')
    await credential('oauth', 'refused', { grantType: 'refresh_token', tokenUrl, refreshToken: 'mine' })
    service.answer = () => ({ status: 401, body: { error: 'invalid_client', error_description: 'mine' } })
    const { code, message } = await failure(`api get ${echo}?3 --credentials.oauth refused`)
    assert.equal(code, 'token_refused')
    assert.match(message, /status 401, invalid_client/)
    assert.doesNotMatch(message, /mine/)
  })

  it("come by a person's yes: PKCE, a callback bound to the browser, used once", async () => {
    const client = {
      grantType: 'authorization_code',
      tokenUrl,
      authorizationUrl: `${service.url}/authorize`,
      clientId: 'web',
    }
    await credential('oauth', 'yes', client)
    assert.equal((await failure(`api get ${echo}?4 --credentials.oauth yes`)).code, 'not_connected')
    await server.call('POST', '/v1/secrets/users', {
      body: { credential: { username: 'eva', password: 'pw' } },
    })
    const session = await server.call('POST', '/session', {
      body: { username: 'eva', password: 'pw' },
      key: null,
    })
    const cookieOf = (headers: Headers) => headers.getSetCookie()[0]!.split(';')[0]!
    const headers = {
      cookie: cookieOf(session.headers),
      origin: server.url,
      'x-csrf-token': session.json.csrfToken as string,
    }
    const begin = () =>
      server.call('POST', '/session/oauth', { body: { credential: 'yes' }, key: null, headers })
    assert.equal((await server.call('POST', '/session/oauth', { body: { credential: 'yes' } })).status, 403)
    const begun = await begin()
    assert.equal(begun.status, 201, begun.text)
    assert.match(
      begun.headers.getSetCookie()[0]!,
      /^forage_oauth=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const address = new URL(begun.json.url)
    const asked = Object.fromEntries(address.searchParams)
    assert.equal(address.pathname, '/authorize')
    assert.deepEqual(
      [asked.client_id, asked.redirect_uri, asked.code_challenge_method],
      ['web', `${server.url}/oauth/callback`, 'S256'],
    )
    service.answer = () => ({ body: { access_token: 'by-yes', refresh_token: 'r', expires_in: 3600 } })
    const back = (state: string, cookie?: string) =>
      server.call('GET', `/oauth/callback?code=the-code&state=${state}&iss=x`, {
        key: null,
        headers: cookie === undefined ? {} : { cookie },
      })
    const own = cookieOf(begun.headers)
    assert.equal((await back(asked.state!)).status, 403)
    assert.equal((await back('made-up', own)).status, 403)
    assert.equal((await back(asked.state!, 'forage_oauth=x')).status, 403)
    const done = await back(asked.state!, own)
    assert.deepEqual([done.status, done.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    assert.equal((await back(asked.state!, own)).status, 403)
    const { code_verifier: verifier, ...form } = Object.fromEntries(service.asked.at(-1)!)
    assert.deepEqual(form, {
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: `${server.url}/oauth/callback`,
      client_id: 'web',
    })
    assert.equal(createHash('sha256').update(verifier!).digest('base64url'), asked.code_challenge)
    await row(`api get ${echo}?5 --credentials.oauth yes`)
    assert.equal(lastHeaders().authorization, 'Bearer by-yes')
    const tokens = (await server.call('GET', '/v1/secrets/oauth/tokens?limit=1000')).json
    const kept = tokens.items.find((token: { credential: string }) => token.credential === 'yes')
    assert.deepEqual(Object.keys(kept), ['credential', 'obtainedAt', 'expiresAt'])
    assert.equal(Date.parse(kept.expiresAt) - Date.parse(kept.obtainedAt), 3_600_000)
    assert.equal(tokens.total, tokens.items.length)
    const refused = await begin()
    const state = new URL(refused.json.url).searchParams.get('state')
    const no = await server.call('GET', `/oauth/callback?error=access_denied&state=${state}`, {
      key: null,
      headers: { cookie: cookieOf(refused.headers) },
    })
    assert.match(no.text, /Not connected/)
  })
})

describe('checkpoints and prompts in queries', () => {
  const checkpoint = async (name: string) =>
    (await server.call('GET', `/v1/secrets/checkpoints/${name}`)).json.checkpoint as string | undefined

  it('a checkpoint is saved when the query completes, and read by the next', async () => {
    const query =
      'range 1 5 n || filter "n > coalesce(number($CHECKPOINTS.seen$), 0)" --checkpoint seen:n --checkpoint.pick max || count'
    assert.deepEqual(await row(query), { count: 5 })
    assert.equal(await checkpoint('seen'), '5')
    assert.deepEqual(await row(query), { count: 0 })
    assert.equal(await checkpoint('seen'), '5')
    await row(`api get ${echo}?since=$CHECKPOINTS.seen$&none=$CHECKPOINTS.unset$`)
    assert.equal(service.requests.at(-1)!.path, '/echo?since=5&none=')
  })

  it('of the first row, the last, the largest or the smallest, without rows that failed', async () => {
    const rows = '[{id: 3, v: "c"}, {id: 10, v: "a"}, {id: 2, v: ""}]'
    await row(
      `seed ${rows} --checkpoint f:v || sequence --checkpoint l:id --checkpoint.pick last || sort id --checkpoint min:id --checkpoint.pick min || head 1`,
    )
    assert.deepEqual([await checkpoint('f'), await checkpoint('l'), await checkpoint('min')], ['c', '2', '2'])
    await row(
      `seed ${rows} --checkpoint a:id --checkpoint b:v --checkpoint.pick max --checkpoint none:missing.path`,
    )
    assert.deepEqual(
      [await checkpoint('a'), await checkpoint('b'), await checkpoint('none')],
      ['10', 'c', undefined],
    )
    await row(`seed ${rows} || tail 1 --checkpoint f:v`)
    assert.equal(await checkpoint('f'), 'c')
    const failing = `seed [{p: "fail"}, {p: "echo"}] || api get ${service.url}/$p$ --retry 0 --enrich --checkpoint ok:p`
    await row(failing)
    assert.equal(await checkpoint('ok'), 'echo')
  })

  it('a query that fails saves none, one from the cache does', async () => {
    await failure('seed {a: 1} --checkpoint failed:a || assert "a > 1"')
    assert.equal(await checkpoint('failed'), undefined)
    const query = `api get ${service.url}/once --checkpoint from:path || table path`
    await row(query)
    await server.call('DELETE', '/v1/secrets/checkpoints/from')
    await row(query)
    assert.deepEqual([await checkpoint('from'), service.counts().get('/once')], ['/once', 1])
  })

  it('a value of 10000 characters is saved, a longer one is told of', async () => {
    const set = (length: number) => server.query(`seed {a: "${'x'.repeat(length)}"} --checkpoint long:a`)
    assert.deepEqual((await set(10_000)).json.warnings, [])
    assert.equal((await checkpoint('long'))?.length, 10_000)
    const { json } = await set(10_001)
    assert.match(json.warnings[0], /long was not saved/)
    assert.equal((await checkpoint('long'))?.length, 10_000)
  })

  it('a checkpoint that two queries set at once is one of the two', async () => {
    const set = (value: number) => row(`seed {a: ${value}} --checkpoint race:a`)
    await Promise.all([1, 2, 3, 4].map(set))
    assert.ok(['1', '2', '3', '4'].includes((await checkpoint('race'))!))
  })

  it('a prompt stands for its text, and another text is another query', async () => {
    const body = { name: 'greet', prompt: 'Good morning' }
    await server.call('POST', '/v1/secrets/prompts', { body })
    const query = `prompt "$PROMPTS.greet$" --baseUrl ${server.demo}/v1`
    const said = async () => ((await row(query)) as { _prompt: { text: string } })._prompt.text
    assert.equal(await said(), 'You said: Good morning')
    await server.call('PUT', '/v1/secrets/prompts/greet', { body: { prompt: 'Good night' } })
    assert.equal(await said(), 'You said: Good night')
  })

  it('prompt --credential takes key and address from the credential', async () => {
    await credential('openai', 'model', { apiKey: 'model-key', baseUrl: `${service.url}/v1` })
    await failure('prompt "Hello" --credential model --model m')
    const asked = service.requests.at(-1)!
    assert.deepEqual([asked.path, asked.headers.authorization], ['/v1/chat/completions', 'Bearer model-key'])
  })
})
