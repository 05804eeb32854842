import { createPrivateKey, sign } from 'node:crypto'
import { type CredentialFields, type CredentialType, fieldPath } from './credential-type.ts'

const tokenUri = 'https://oauth2.googleapis.com/token'
const lifetimeSeconds = 3600

export const gcp: CredentialType = {
  type: 'gcp',
  title: 'Google Cloud service account',
  help: 'The JSON file of a service account as it was downloaded. An access token is fetched with it and sent as `Authorization: Bearer <token>`.',
  fields: [
    { name: 'type', choices: ['service_account'], help: 'The kind of the file' },
    { name: 'project_id', help: 'The project' },
    { name: 'private_key_id', help: 'The id of the key' },
    { name: 'private_key', required: true, secret: true, help: 'The private key, in PEM' },
    { name: 'client_email', required: true, help: 'The address of the service account' },
    { name: 'client_id', help: 'The id of the service account' },
    { name: 'auth_uri', url: true, help: 'Not used' },
    { name: 'token_uri', url: true, default: tokenUri, help: 'Where tokens are fetched' },
    { name: 'auth_provider_x509_cert_url', url: true, help: 'Not used' },
    { name: 'client_x509_cert_url', url: true, help: 'Not used' },
    { name: 'universe_domain', help: 'Not used' },
    {
      name: 'scope',
      default: 'https://www.googleapis.com/auth/cloud-platform',
      help: 'What the token is for, separated by spaces; not part of the file',
    },
  ],
  check: ({ private_key = '' }) =>
    isRsaKey(private_key)
      ? []
      : [{ path: fieldPath('gcp', 'private_key'), message: 'must be an RSA private key in PEM' }],
  tokenRequest: fields => ({
    url: fields.token_uri ?? tokenUri,
    form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertion(fields) },
  }),
  authorize: (_request, _fields, token) => ({ authorization: `Bearer ${token}` }),
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

/** The signed statement for which a token is given (RFC 7523). */
function assertion(fields: CredentialFields): string {
  const now = Math.floor(Date.now() / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...(fields.private_key_id && { kid: fields.private_key_id }) }
  const claims = {
    iss: fields.client_email,
    scope: fields.scope ?? gcp.fields.find(field => field.name === 'scope')!.default,
    aud: fields.token_uri ?? tokenUri,
    iat: now,
    exp: now + lifetimeSeconds,
  }
  const text = [header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), fields.private_key!).toString('base64url')}`
}
