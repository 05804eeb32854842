import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { apiPage } from '../../scripts/docs/api.ts'
import { errorsPage } from '../../scripts/docs/errors.ts'
import { errorCodes } from '../../src/errors.ts'
import { operationIds, operationOf } from '../../src/http/operations.ts'
import * as gonogoRecords from '../../src/services/gonogo/records.ts'
import * as krullRecords from '../../src/services/krull/records.ts'
import * as licoriceRecords from '../../src/services/licorice/records.ts'
import * as mentosRecords from '../../src/services/mentos/records.ts'
import * as serviceRecords from '../../src/services/records.ts'
import * as screenshotRecords from '../../src/services/screenshot/records.ts'
import * as secretsRecords from '../../src/services/secrets/records.ts'
import { serviceNames } from '../../src/services/service.ts'
import * as cellarRecords from '../../src/services/sirp/cellar-records.ts'
import * as planRecords from '../../src/services/sirp/plan-records.ts'
import * as sirpRecords from '../../src/services/sirp/records.ts'
import * as savedRecords from '../../src/services/sirp/saved-records.ts'
import { manifestTypes, storeTypes } from '../../src/services/store-types.ts'
import * as workersRecords from '../../src/services/workers/records.ts'
import { missing } from './missing.ts'
import { startServer } from './support.ts'

const compiled: string[] = []
const server = await startServer({
  routes: [
    app => {
      app.addHook('onRoute', ({ url, schema }) => {
        const { body, querystring, params, response } = (schema ?? {}) as Record<string, TSchema>
        for (const part of [body, querystring, params, ...Object.values(response ?? {})])
          if (part !== undefined) Compile(part as TSchema)
        compiled.push(url)
      })
    },
  ],
})
const { json: document } = await server.call('GET', '/v1/openapi.json', { key: null })

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly responses: Record<string, unknown>
}
const described = new Map<string, Described>(
  Object.entries<Record<string, Described>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  ),
)

test('every operation of the interface is in the table, each with a route of its own', () => {
  const own = operationIds.filter(id => !operationOf(id).ours)
  assert.equal(own.length, 110)
  assert.equal(
    new Set(operationIds.map(id => `${operationOf(id).method} ${operationOf(id).path}`)).size,
    operationIds.length,
  )
})

test('the operations that are not built yet are exactly those of missing.ts', () => {
  const absent = operationIds.filter(id => {
    const { method, path } = operationOf(id)
    return described.get(`${method} ${path}`)?.operationId !== id
  })
  const names = (ids: readonly string[]) =>
    ids.map(id => `${id}: ${operationOf(id as (typeof operationIds)[number])?.name}`)
  assert.deepEqual(names(absent).sort(), names(missing).sort())
})

test('what is not built does not exist, what is built needs a key', async () => {
  for (const id of operationIds) {
    const { method, path } = operationOf(id)
    const sent = path.replaceAll(/\{\w+\}/g, 'x')
    assert.equal((await server.call(method, sent, { key: null })).status, 401, id)
    if (!missing.includes(id)) continue
    const { status, json } = await server.call(method, sent)
    // A path that exists with another method, or one whose parameter takes this word, says so.
    assert.ok(
      ['no_such_route', 'method_not_allowed', 'invalid_request', 'not_found'].includes(json.code),
      `${id} ${status}`,
    )
  }
})

test('the OpenAPI document has version, security, tags, names and problems', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.info.version, '1.3.0')
  assert.deepEqual(document.security, [{ svc: [] }, { bearer: [] }])
  assert.equal(document.components.securitySchemes.svc.name, 'Authorization')
  assert.deepEqual(document.tags.map((tag: { name: string }) => tag.name).sort(), [...serviceNames].sort())
  for (const [route, { operationId, summary, tags, responses }] of described) {
    const operation = operationOf(operationId as (typeof operationIds)[number])
    assert.equal(route, `${operation.method} ${operation.path}`)
    assert.deepEqual([summary, tags], [operation.name, [operation.service]])
    assert.ok('4XX' in responses && '5XX' in responses, route)
    assert.ok(
      Object.keys(responses).some(status => status.startsWith('2')),
      route,
    )
  }
  assert.deepEqual(document.components.schemas.Problem.properties.code.enum, Object.keys(errorCodes))
})

test('every reference in the OpenAPI document leads somewhere, and every $id became one', () => {
  const text = JSON.stringify(document)
  for (const [, kind, name] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g))
    assert.ok(document.components[kind!][name!], `${kind} ${name}`)
  assert.doesNotMatch(text, /"\$id"|x-forage-name|def-\d/)
  assert.ok(document.components.schemas.ServiceStatus)
})

test('every schema of every route compiles', () => {
  assert.ok(compiled.length >= described.size)
})

test('the records of every service compile, and no two share a name', () => {
  const modules = [
    gonogoRecords,
    krullRecords,
    licoriceRecords,
    mentosRecords,
    serviceRecords,
    screenshotRecords,
    secretsRecords,
    cellarRecords,
    planRecords,
    sirpRecords,
    savedRecords,
    workersRecords,
  ]
  const named = new Map<string, unknown>()
  for (const value of modules.flatMap(module => Object.values<unknown>(module))) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !('$id' in value)) continue
    assert.equal(named.has(String(value.$id)), false, `two records are named ${value.$id}`)
    named.set(String(value.$id), value)
    Compile(value as TSchema)
  }
  assert.ok(named.size >= 50, `${named.size}`)
  assert.deepEqual([storeTypes.length, manifestTypes.length], [30, 28])
})

test('docs/api.md and docs/errors.md say what the code says (npm run generate writes them)', async () => {
  const read = (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
  assert.equal(await read('api.md'), apiPage())
  assert.equal(await read('errors.md'), errorsPage())
})

test('error codes are words, and their statuses are those of errors', () => {
  for (const [code, { status, title, meaning }] of Object.entries(errorCodes)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/)
    assert.ok(status >= 400 && status < 600 && title.length > 0 && meaning.endsWith('.'), code)
  }
})
