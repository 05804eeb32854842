import type { ErrorItem } from '../errors.ts'
import {
  type CredentialFields,
  type CredentialType,
  fieldPath,
  missingField,
  type TokenRequest,
} from './credential-type.ts'
import { oauthProvider, oauthProviders } from './oauth-providers.ts'

/** What each grant cannot do without, beside the addresses. */
const needs: Readonly<Record<string, readonly string[]>> = {
  client_credentials: ['clientId', 'clientSecret'],
  password: ['username', 'password'],
  refresh_token: ['refreshToken'],
  authorization_code: ['clientId'],
}

export const oauth: CredentialType = {
  type: 'oauth',
  title: 'OAuth 2',
  help: 'A token of an OAuth 2 server, fetched when it is needed, kept sealed, renewed before it ends, and sent as `Authorization: Bearer <token>`.',
  fields: [
    { name: 'grantType', required: true, choices: Object.keys(needs), help: 'How the token is asked for' },
    {
      name: 'provider',
      choices: oauthProviders.map(item => item.provider),
      help: 'A well-known provider; its addresses and its first scope are taken where none are given',
    },
    { name: 'tokenUrl', url: true, help: 'Where tokens are fetched' },
    { name: 'authorizationUrl', url: true, help: 'Where a person says yes, for `authorization_code`' },
    { name: 'clientId', help: 'The id of the client' },
    { name: 'clientSecret', secret: true, help: 'The secret of the client' },
    { name: 'scope', help: 'What the token is for, separated by spaces' },
    { name: 'username', help: 'The user, for `password`' },
    { name: 'password', secret: true, help: "The user's password, for `password`" },
    { name: 'refreshToken', secret: true, help: 'A refresh token, for `refresh_token`' },
    {
      name: 'authentication',
      choices: ['body', 'basic'],
      help: "Where the client's id and secret go: in the form, or in the header of HTTP's basic authentication. The provider's way, else `body`",
    },
  ],
  check,
  tokenRequest,
  authorize: (_request, _fields, token) => ({ authorization: `Bearer ${token}` }),
}

function check(fields: CredentialFields): ErrorItem[] {
  const { grantType = '' } = fields
  const provider = oauthProvider(fields.provider)
  const why = `with grantType ${grantType}`
  const missing = (needs[grantType] ?? [])
    .filter(name => !fields[name])
    .map(name => missingField('oauth', name, why))
  if (!tokenUrlOf(fields)) missing.push(missingField('oauth', 'tokenUrl', 'unless provider names it'))
  if (grantType === 'authorization_code' && !authorizationUrlOf(fields))
    missing.push(missingField('oauth', 'authorizationUrl', `${why} unless provider names it`))
  if (provider && !provider.grantTypes.includes(grantType))
    missing.push({
      path: fieldPath('oauth', 'grantType'),
      message: `must be one of ${provider.grantTypes.join(', ')} with provider ${provider.provider}`,
    })
  return missing
}

const tokenUrlOf = ({ tokenUrl, provider }: CredentialFields): string | undefined =>
  tokenUrl ?? oauthProvider(provider)?.tokenUrl

const authorizationUrlOf = ({ authorizationUrl, provider }: CredentialFields): string | undefined =>
  authorizationUrl ?? oauthProvider(provider)?.authorizationUrl ?? undefined

const scopeOf = ({ scope, provider }: CredentialFields): string | undefined =>
  scope ?? oauthProvider(provider)?.scopes[0]

function tokenRequest(fields: CredentialFields, refreshToken: string | undefined): TokenRequest | undefined {
  const refresh = refreshToken ?? (fields.grantType === 'refresh_token' ? fields.refreshToken : undefined)
  if (refresh !== undefined)
    return signedByClient(fields, { grant_type: 'refresh_token', refresh_token: refresh })
  if (fields.grantType === 'authorization_code') return undefined
  const scope = scopeOf(fields)
  return signedByClient(fields, {
    grant_type: fields.grantType!,
    ...(scope && { scope }),
    ...(fields.grantType === 'password' && { username: fields.username!, password: fields.password! }),
  })
}

/** A person's yes, exchanged for a token. */
export const codeRequest = (
  fields: CredentialFields,
  {
    code,
    verifier,
    redirectUri,
  }: { readonly code: string; readonly verifier: string; readonly redirectUri: string },
): TokenRequest =>
  signedByClient(fields, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  })

/** Where to send a person to ask for a yes. */
export function authorizationAddress(
  fields: CredentialFields,
  {
    state,
    challenge,
    redirectUri,
  }: { readonly state: string; readonly challenge: string; readonly redirectUri: string },
): string {
  const url = new URL(authorizationUrlOf(fields)!)
  const scope = scopeOf(fields)
  const parameters = {
    response_type: 'code',
    client_id: fields.clientId!,
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(scope && { scope }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function signedByClient(fields: CredentialFields, form: Record<string, string>): TokenRequest {
  const { clientId, clientSecret, provider } = fields
  const url = tokenUrlOf(fields)!
  const authentication = fields.authentication ?? oauthProvider(provider)?.authentication ?? 'body'
  if (authentication === 'basic' && clientId && clientSecret) {
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(':')
    return { url, form, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
  }
  return {
    url,
    form: {
      ...form,
      ...(clientId && { client_id: clientId }),
      ...(clientSecret && { client_secret: clientSecret }),
    },
  }
}
