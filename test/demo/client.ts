import { after, beforeEach } from 'node:test'
import { startDemo } from '../../demo/server.ts'

/** One site for all the tests of this folder, as new before each of them. */
export const demo = await startDemo({ port: 0 })
after(() => demo.close())
beforeEach(() => post('/reset'))

export const get = (path: string, init: RequestInit = {}) => fetch(demo.url + path, init)
export const text = async (path: string) => (await get(path)).text()
export const page = async (path: string) => (await get(path, { headers: { accept: 'text/html' } })).text()

// The shapes are what each test goes on to check; `fetch` knows nothing about them.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Loose = any
export const json = async (path: string): Promise<Loose> => (await get(path)).json()

export function post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const content = typeof body === 'string' ? body : JSON.stringify(body ?? {})
  return get(path, {
    method: 'POST',
    body: content,
    headers: { 'content-type': 'application/json', ...headers },
    redirect: 'manual',
  })
}

export const all = (content: string, expression: RegExp) =>
  [...content.matchAll(expression)].map(match => match[1]!)
