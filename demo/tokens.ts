import type { Call } from './call.ts'
import { PASSWORD, USER } from './login.ts'
import { jsonReply, Refusal, type Reply } from './reply.ts'
import type { Router } from './router.ts'

const ACCESS_TOKEN = 'demo-access-token'
const REFRESH_TOKEN = 'demo-refresh-token'

export function tokenRoutes(router: Router): void {
  router.get('/api/basic', 'asks for HTTP basic authentication, the same user and password', basic)
  router.get('/api/bearer', 'asks for the bearer token that `/oauth/token` gives', bearer)
  router.post(
    '/oauth/token',
    'OAuth 2: client_credentials, password and refresh_token; the client is the same user and password',
    token,
  )
}

function authorization(call: Call, scheme: string): string | undefined {
  const [given, value] = (call.request.headers.authorization ?? '').split(' ')
  return given?.toLowerCase() === scheme ? value : undefined
}

function basicPair(call: Call): string {
  return Buffer.from(authorization(call, 'basic') ?? '', 'base64').toString()
}

function basic(call: Call): Reply {
  if (basicPair(call) === `${USER}:${PASSWORD}`) return jsonReply({ user: USER, by: 'basic' })
  throw new Refusal(401, 'a user and a password are needed', { 'www-authenticate': 'Basic realm="demo"' })
}

function bearer(call: Call): Reply {
  if (authorization(call, 'bearer') === ACCESS_TOKEN) return jsonReply({ user: USER, by: 'bearer' })
  throw new Refusal(401, 'a token from /oauth/token is needed', { 'www-authenticate': 'Bearer realm="demo"' })
}

async function token(call: Call): Promise<Reply> {
  const fields = await call.fields()
  const client = basicPair(call) || `${fields.client_id}:${fields.client_secret}`
  if (client !== `${USER}:${PASSWORD}`) return jsonReply({ error: 'invalid_client' }, {}, 401)
  const granted: Record<string, boolean> = {
    client_credentials: true,
    password: fields.username === USER && fields.password === PASSWORD,
    refresh_token: fields.refresh_token === REFRESH_TOKEN,
  }
  const allowed = granted[fields.grant_type ?? '']
  if (allowed === undefined) return jsonReply({ error: 'unsupported_grant_type' }, {}, 400)
  if (!allowed) return jsonReply({ error: 'invalid_grant' }, {}, 400)
  return jsonReply(
    {
      access_token: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: REFRESH_TOKEN,
      scope: fields.scope ?? 'read',
    },
    { 'cache-control': 'no-store' },
  )
}
