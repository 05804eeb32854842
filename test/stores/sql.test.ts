import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { Batch, OutgoingRow } from '../../src/stores/shared/batch.ts'
import sqlStore from '../../src/stores/sql.ts'
import type { DeliveryTarget, RowWriter, StoreContext } from '../../src/stores/store.ts'
import { certificate } from '../network/certificate.ts'
import { forage } from '../support/service.ts'
import type { DatabaseServer } from './database-server.ts'
import { mariadb, postgres } from './servers.ts'

type Rows = Record<string, unknown>[]
interface Engine {
  readonly configuration: object
  readonly server?: DatabaseServer
  ask(statement: string): Promise<Rows>
}

const files = mkdtempSync(join(tmpdir(), 'forage-files-'))
after(() => rmSync(files, { recursive: true, force: true }))
const server = await forage({ settings: { FORAGE_FILES: files } })
const [postgresServer, mariaServer] = await Promise.all([postgres(), mariadb()])

const engines: Readonly<Record<string, Engine>> = {
  postgresql: {
    server: postgresServer,
    configuration: {
      engine: 'postgresql',
      host: '127.0.0.1',
      port: postgresServer.port,
      database: 'postgres',
      user: 'postgres',
    },
    ask: async statement => {
      const client = new pg.Client({ host: '127.0.0.1', port: postgresServer.port, user: 'postgres' })
      await client.connect()
      try {
        return (await client.query(statement)).rows as Rows
      } finally {
        await client.end()
      }
    },
  },
  mariadb: {
    server: mariaServer,
    configuration: {
      engine: 'mariadb',
      host: '127.0.0.1',
      port: mariaServer.port,
      database: 'shop',
      user: 'root',
    },
    ask: statement => askMaria(statement, 'shop'),
  },
  sqlite: {
    configuration: { engine: 'sqlite', file: 'a/shop.db' },
    ask: async statement => {
      const database = new DatabaseSync(join(files, 'a/shop.db'), { readBigInts: true })
      try {
        return database.prepare(statement).all() as Rows
      } finally {
        database.close()
      }
    },
  },
}

async function askMaria(statement: string, database?: string): Promise<Rows> {
  const connection = await mysql.createConnection({
    host: '127.0.0.1',
    port: mariaServer.port,
    user: 'root',
    ...(database && { database }),
  })
  try {
    return (await connection.query(statement))[0] as Rows
  } finally {
    await connection.end()
  }
}
await askMaria('CREATE DATABASE shop')

async function makeStore(name: string, engine: Engine, more: object = {}): Promise<void> {
  const configuration = { ...engine.configuration, create: true, ...more }
  const body = { type: 'sql', config: { store: { name }, configuration } }
  const answer = await server.call('POST', '/v1/secrets/stores', { body })
  assert.equal(answer.status, 201, answer.text)
}

async function completed(text: string) {
  const { json } = await server.query(text)
  assert.equal(json.status, 'completed', JSON.stringify(json.error))
  return json
}

const numbers = (rows: Rows, name = 'n') => rows.map(row => Number(row[name]))

for (const [name, engine] of Object.entries(engines)) {
  test(`${name}: makes the table and the columns, and inserts rows of every type`, async () => {
    await makeStore(`${name}-insert`, engine)
    assert.deepEqual((await server.call('POST', `/v1/secrets/stores/${name}-insert/test`)).json, {
      ok: true,
      code: null,
      message: null,
    })
    const first = `seed [{n: 9007199254740993, t: "it's", f: 1.5, b: true, j: {a: [1]}}] || freeze plain --store ${name}-insert`
    await completed(first)
    await completed(`seed [{n: 2, later: "x"}] || freeze plain --store ${name}-insert`)
    const rows = await engine.ask('SELECT * FROM plain ORDER BY n')
    assert.equal(rows.length, 2)
    assert.equal(rows[0]!.later, 'x')
    assert.equal(rows[1]!.t, "it's")
    assert.equal(Number(rows[1]!.f), 1.5)
    const [exact] = await engine.ask('SELECT count(*) AS n FROM plain WHERE n = 9007199254740993')
    assert.equal(Number(exact!.n), 1)
    const nested = rows[1]!.j
    assert.deepEqual(typeof nested === 'string' ? JSON.parse(nested) : nested, { a: [1] })
  })

  test(`${name}: changes rows by their key, the last of a batch winning`, async () => {
    await makeStore(`${name}-upsert`, engine)
    await completed(`seed [{id: "a", n: 1}, {id: "b", n: 2}] || freeze keyed --store ${name}-upsert --key id`)
    await completed(
      `seed [{id: "b", n: 20}, {id: "c", n: 3}, {id: "b", n: 21}] || freeze keyed --store ${name}-upsert --key id`,
    )
    assert.deepEqual(
      (await engine.ask('SELECT id, n FROM keyed ORDER BY id')).map(row => [row.id, Number(row.n)]),
      [
        ['a', 1],
        ['b', 21],
        ['c', 3],
      ],
    )
  })

  test(`${name}: overwrites by a table beside it, which is gone afterwards`, async () => {
    await makeStore(`${name}-over`, engine)
    await completed(`range 1 5 n || freeze whole --store ${name}-over --mode overwrite`)
    await completed(`range 7 9 n || freeze whole --store ${name}-over --mode overwrite`)
    assert.deepEqual(numbers(await engine.ask('SELECT n FROM whole ORDER BY n')), [7, 8, 9])
    const tables =
      name === 'sqlite'
        ? "SELECT name FROM sqlite_master WHERE name LIKE 'forage%'"
        : "SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE 'forage%'"
    assert.deepEqual(await engine.ask(tables), [])
  })

  test(`${name}: thaw gives the rows back as they were, however many, and says what is wrong`, async () => {
    await makeStore(`${name}-thaw`, engine)
    const seed =
      '[{n: 9007199254740993, t: "it\'s", f: 1.5, b: true, j: {a: [1, 9007199254740993]}, m: 1}, {n: 2, b: false, m: "two"}]'
    await completed(`seed '${seed.replaceAll("'", "\\'")}' || freeze frozen --store ${name}-thaw --key n`)
    const { text } = await server.query(
      `thaw frozen --store ${name}-thaw || sort n --order descending || table n t f b j m`,
    )
    assert.equal(
      /"results":(.*?),"id"/.exec(text)?.[1],
      `[{"content":{"n":9007199254740993,"t":"it's","f":1.5,"b":true,"j":{"a":[1,9007199254740993]},"m":1}},{"content":{"n":2,"b":false,"m":"two"}}]`,
    )
    await completed(`range 1 30000 n || freeze many --store ${name}-thaw`)
    const { results } = await completed(
      `thaw many --store ${name}-thaw || stats "count() as c, sum(n) as s, dc(n) as d"`,
    )
    assert.deepEqual(results[0].content, { c: 30_000, s: 450_015_000, d: 30_000 })
    const first = await completed(`thaw many --store ${name}-thaw --take 1`)
    assert.deepEqual(Object.keys(first.results[0].content), ['n'], 'the delivery ids are left out')
    const missing = await server.query(`thaw nowhere --store ${name}-thaw`)
    assert.equal(missing.json.error.code, 'not_found')
    assert.match(missing.json.error.message, /no table or view nowhere/)
  })

  test(`${name}: a row that does not fit goes to the dead letters, the others get in`, async () => {
    await engine.ask('CREATE TABLE strict_rows (n integer NOT NULL CHECK (n < 100))')
    await makeStore(`${name}-strict`, engine, { create: false })
    const json = await completed(
      `range 1 40 n || eval n "if(n == 7, 500, n)" || freeze strict_rows --store ${name}-strict`,
    )
    assert.equal(json.failedRows, 1)
    assert.equal((await engine.ask('SELECT n FROM strict_rows')).length, 39)
    const letters = await server.call('GET', `/v1/sirp/cellar/files/${name}-strict%20dead%20letters`)
    assert.deepEqual(letters.json.results[0].content.row, { n: 500 })
    const missing = await server.query(`seed [{n: 1, extra: 2}] || freeze strict_rows --store ${name}-strict`)
    assert.equal(missing.json.error.code, 'no_such_column')
    const nowhere = await server.query(`seed [{n: 1}] || freeze nowhere --store ${name}-strict`)
    assert.equal(nowhere.json.error.code, 'no_such_table')
  })
}

for (const name of ['postgresql', 'mariadb'] as const) {
  test(`${name}: a certificate of nobody is refused, unless its authority is named or any is good enough`, async () => {
    const engine = engines[name]!
    const attempt = async (tls: object, more: object = {}) => {
      const store = `${name}-tls-${randomUUID()}`
      const configuration = { ...engine.configuration, create: true, patience: 0, ...more }
      const config = { store: { name: store }, configuration, credentials: { tls } }
      const made = await server.call('POST', '/v1/secrets/stores', { body: { type: 'sql', config } })
      assert.equal(made.status, 201, made.text)
      const { json: test } = await server.call('POST', `/v1/secrets/stores/${store}/test`)
      const { json } = await server.query(`range 1 2 n || freeze tls_rows --store ${store}`)
      assert.equal(json.status, test.ok ? 'completed' : 'failed', JSON.stringify([test, json.error]))
      return test.ok ? 'taken' : `${test.message}`
    }
    assert.match(await attempt({ enabled: true }), /self-signed certificate/)
    assert.equal(await attempt({ enabled: true, ca: certificate }), 'taken')
    assert.equal(await attempt({ enabled: true, ca: certificate }, { host: 'localhost' }), 'taken')
    assert.match(await attempt({ enabled: true, ca: certificate }, { host: '127.0.0.2' }), /127\.0\.0\.2/)
    assert.equal(await attempt({ enabled: true, verify: false }), 'taken')
    assert.equal(await attempt({ enabled: false }), 'taken')
    assert.equal((await engine.ask('SELECT n FROM tls_rows')).length, 8)
  })

  test(`${name}: dies and returns in the middle of a delivery, and has every row once`, async () => {
    const engine = engines[name]!
    await makeStore(`${name}-dying`, engine, { batch: 200, throughput: 10_000 })
    const running = server.query(`range 1 20000 n || freeze survivors --store ${name}-dying`)
    const arrived = () =>
      engine.ask('SELECT count(*) AS n FROM survivors').then(
        rows => Number(rows[0]!.n),
        () => 0,
      )
    let isOver = false
    running.finally(() => {
      isOver = true
    })
    while ((await arrived()) < 400) await wait(10)
    await engine.server!.kill()
    assert.equal(isOver, false, 'it dies in the middle')
    await engine.server!.start()
    const { json } = await running
    assert.equal(json.status, 'completed', JSON.stringify(json.error))
    const [row] = await engine.ask(
      'SELECT count(*) AS c, count(DISTINCT n) AS d, min(n) AS a, max(n) AS z FROM survivors',
    )
    assert.deepEqual([row!.c, row!.d, row!.a, row!.z].map(Number), [20_000, 20_000, 1, 20_000])
  })
}

test('sqlite: between two batches others have their turn', async () => {
  const target: DeliveryTarget = {
    id: 'q',
    name: 'turns',
    mode: 'append',
    format: undefined,
    key: [],
    columns: [{ name: 'n', type: 'BIGINT' }],
    total: 1,
    delivered: 0,
    signal: new AbortController().signal,
  }
  const config = { configuration: { engine: 'sqlite', file: 'turns.db', create: true }, credentials: {} }
  const context = { files, dataFolder: join(files, 'data') } as StoreContext
  const writer = (await sqlStore.open(config, target, context)) as RowWriter
  try {
    let isTheirTurn = false
    setImmediate(() => {
      isTheirTurn = true
    })
    await writer.write(new Batch([new OutgoingRow('[1]', 0, 'q')]))
    assert.ok(isTheirTurn)
  } finally {
    await writer.close()
  }
})

test('a database that is not there, a wrong file and a missing field are told in words', async () => {
  const gone = { configuration: { ...engines.postgresql!.configuration, database: 'nowhere' } } as Engine
  await makeStore('gone', gone)
  const { json } = await server.call('POST', '/v1/secrets/stores/gone/test')
  assert.equal(json.ok, false)
  assert.match(json.message, /PostgreSQL says: .*nowhere/)
  const outside = { configuration: { engine: 'sqlite', file: '../escape.db' } } as Engine
  await makeStore('outside', outside)
  assert.equal((await server.call('POST', '/v1/secrets/stores/outside/test')).json.code, 'path_refused')
  const body = { type: 'sql', config: { store: { name: 'x' }, configuration: { engine: 'mariadb' } } }
  const refused = await server.call('POST', '/v1/secrets/stores', { body })
  assert.equal(refused.status, 400)
  assert.deepEqual(
    refused.json.errors.map((error: { path: string }) => error.path),
    ['$.config.configuration.host', '$.config.configuration.database'],
  )
})
