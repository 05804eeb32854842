import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import type { TestContext } from 'node:test'
import { Dialer, type Lookup } from '../../src/network/dialer.ts'
import { NetworkError, type NetworkErrorCode } from '../../src/network/errors.ts'
import { HttpClient, type HttpRequest } from '../../src/network/http.ts'
import { NetworkPolicy } from '../../src/network/policy.ts'
import { Scope } from '../../src/network/scope.ts'

/** A public address as far as the rule can tell, that leads nowhere: what must not be dialled in a test. */
export const somewhere = '203.0.114.9'

interface ClientOptions {
  readonly exposed?: boolean
  readonly network?: readonly string[]
  readonly names?: Record<string, readonly string[] | (() => readonly string[])>
}

export function clientFor(
  context: TestContext,
  { exposed = false, network = [], names = {} }: ClientOptions = {},
) {
  const lookups: string[] = []
  const lookup: Lookup = async host => {
    lookups.push(host)
    const found = names[host]
    if (found === undefined) throw Object.assign(new Error('not known'), { code: 'ENOTFOUND' })
    return typeof found === 'function' ? found() : found
  }
  const policy = new NetworkPolicy({ exposed, network })
  const client = new HttpClient(new Dialer(policy, lookup))
  context.after(() => client.close())
  const get = (url: string, more: Partial<HttpRequest> = {}) =>
    client.request({ url, scope: Scope.ofUrl(url), ...more })
  /** The same with the whole body. */
  const fetch = (url: string, more: Partial<HttpRequest> = {}) =>
    client.fetch({ url, scope: Scope.ofUrl(url), ...more })
  return { client, get, fetch, policy, lookups }
}

export const failsWith = (code: NetworkErrorCode, message?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof NetworkError, String(error))
  assert.equal(error.code, code, error.message)
  if (message) assert.match(error.message, message)
  return true
}

export async function unusedPort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

export const echo = (incoming: IncomingMessage, answer: ServerResponse) => {
  const chunks: Buffer[] = []
  incoming.on('data', chunk => chunks.push(chunk))
  incoming.on('end', () => {
    const { method, url, headers } = incoming
    answer.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }))
  })
}
export const json = async (response: { text(): Promise<string> }) => JSON.parse(await response.text())
