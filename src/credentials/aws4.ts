import { createHash, createHmac } from 'node:crypto'
import { CommandFailure } from '../commands/failure.ts'
import type { CredentialFields, CredentialType, Outgoing } from './credential-type.ts'

export const aws4: CredentialType = {
  type: 'aws4',
  title: 'AWS Signature 4',
  help: 'Signs each request with an access key of AWS, or of another service that takes the same signature.',
  fields: [
    { name: 'accessKeyId', required: true, secret: true, help: 'The id of the access key' },
    { name: 'secretAccessKey', required: true, secret: true, help: 'The secret access key' },
    { name: 'sessionToken', secret: true, help: 'The session token of temporary keys' },
    { name: 'region', help: 'Such as `eu-central-1`; read from the host when it is not given' },
    { name: 'service', help: 'Such as `s3`; read from the host when it is not given' },
  ],
  authorize: (request, fields) => signature(request, fields, new Date()),
}

/** The headers that sign a request: date, session token, hash of the body for S3, and the signature over all of them. */
export function signature(request: Outgoing, fields: CredentialFields, at: Date): Record<string, string> {
  const { region, service } = regionAndService(request.url.hostname, fields)
  const date = at.toISOString().replaceAll(/[:-]|\.\d+/g, '')
  const bodyHash = sha256(request.body ?? '')
  const added: Record<string, string> = {
    'x-amz-date': date,
    ...(service === 's3' && { 'x-amz-content-sha256': bodyHash }),
    ...(fields.sessionToken && { 'x-amz-security-token': fields.sessionToken }),
  }
  const headers = signedHeaders({ ...request.headers, ...added, host: request.url.host })
  const names = headers.map(([name]) => name).join(';')
  const canonical = [
    request.method,
    canonicalPath(request.url.pathname, service),
    canonicalQuery(request.url.searchParams),
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    bodyHash,
  ].join('\n')
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`
  const key = scope
    .split('/')
    .reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${fields.secretAccessKey}`)
  return {
    ...added,
    authorization: `AWS4-HMAC-SHA256 Credential=${fields.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${hmac(key, text).toString('hex')}`,
  }
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** What proxies and the client itself may change on the way is left out. */
const UNSIGNED = new Set([
  'authorization',
  'user-agent',
  'connection',
  'accept-encoding',
  'expect',
  'content-length',
])

function signedHeaders(headers: Outgoing['headers']): [string, string][] {
  return Object.entries(headers)
    .filter(([name]) => !UNSIGNED.has(name))
    .map(([name, value]): [string, string] => [name, [value].flat().map(trimmed).join(',')])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

const trimmed = (value: string): string => value.trim().replaceAll(/ +/g, ' ')

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** Every service but S3 signs the path encoded once more than it is sent. */
const canonicalPath = (path: string, service: string): string =>
  path
    .split('/')
    .map(segment => encoded(service === 's3' ? decoded(segment) : segment))
    .join('/')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const canonicalQuery = (parameters: URLSearchParams): string =>
  [...parameters]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(pair => pair.join('='))
    .join('&')

const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d+$/

/** `bucket.s3.eu-west-1.amazonaws.com`, `x.eu-west-1.es.amazonaws.com`, `iam.amazonaws.com` (one for all regions). */
function regionAndService(host: string, fields: CredentialFields): { region: string; service: string } {
  const named = /^(.+)\.amazonaws\.com(?:\.cn)?$/.exec(host)?.[1]?.split('.') ?? []
  const labels = named.filter(label => label !== 'dualstack')
  const at = labels.findIndex(label => REGION.test(label))
  const region = fields.region ?? (at >= 0 ? labels[at] : labels.length > 0 ? 'us-east-1' : undefined)
  const service = fields.service ?? (at >= 0 && at === labels.length - 1 ? labels[at - 1] : labels.at(-1))
  if (region && service) return { region, service }
  throw new CommandFailure(
    'bad_credential',
    `The region and the service cannot be read from the host ${host}.`,
    { hint: 'Set region and service in the credential.' },
  )
}
