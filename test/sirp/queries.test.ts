import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forage, type RunningForage } from '../support/service.ts'

const contents = (answer: { json: { results: { content: unknown }[] } }) =>
  answer.json.results.map(row => row.content)
const dispatch = '/v1/sirp/query/runner/dispatch'

const server = await forage()

test('runs a query on the known route and answers with its rows', async () => {
  const answer = await server.call('POST', dispatch, {
    body: {
      query:
        'range 1 1000000 n || eval sq "n * n" || filter "sq % 7 == 0" || stats "count() as c, max(sq) as m"',
    },
  })
  assert.equal(answer.status, 200)
  assert.equal(answer.json.status, 'completed')
  assert.deepEqual(contents(answer), [{ c: 142857, m: 999998000001 }])
  assert.equal(answer.headers.get('location'), `/v1/sirp/queries/${answer.json.id}`)
})

test('answers 202 at once when the client does not want to wait, and the query goes on', async () => {
  const answer = await server.call('POST', dispatch, {
    body: { query: 'range 1 2000000 n || sort n --order descending || head 1', metadata: { team: 'a' } },
    headers: { prefer: 'respond-async' },
  })
  assert.equal(answer.status, 202)
  const done = await finished(server, answer.json.id)
  assert.equal(done.status, 'completed')
  assert.deepEqual(done.metadata, { team: 'a' })
  const results = await server.call('GET', `/v1/sirp/queries/${answer.json.id}/results`)
  assert.deepEqual(contents(results), [{ n: 2000000 }])
})

test('tells everything that is wrong with a query, and where', async () => {
  const answer = await server.call('POST', dispatch, { body: { query: 'rnge 1 3 n || sort --ordr x' } })
  assert.equal(answer.status, 422)
  assert.equal(answer.json.code, 'query_invalid')
  assert.ok(answer.json.errors.length >= 2)
  assert.equal(answer.json.errors[0].suggestion, 'range')
  assert.equal(answer.json.errors[0].column, 1)
})

test('answers 200 with the error of a query that ran and failed', async () => {
  const answer = await server.query('range 1 3 n || filter "m > 1"')
  assert.equal(answer.status, 200)
  assert.equal(answer.json.status, 'failed')
  assert.equal(answer.json.error.code, 'unknown_column')
  assert.equal(answer.json.error.stage, 1)
  assert.match(answer.json.error.message, /no column m/)
  const results = await server.call('GET', `/v1/sirp/queries/${answer.json.id}/results`)
  assert.equal(results.status, 409)
  assert.equal(results.json.code, 'query_failed')
})

test('says where a column is named that is not there', async () => {
  const places = [
    ['range 1 3 n ||\n  drop n nn', 2, 10],
    ['range 1 3 n || stats "count()" --by n --by drop.x', 1, 44],
    ['range 1 3 n || drop drop', 1, 21],
  ] as const
  for (const [text, line, column] of places) {
    const { error } = (await server.query(text)).json
    assert.deepEqual([error.code, error.line, error.column], ['unknown_column', line, column], text)
  }
})

test('keeps 64-bit integers, nesting and odd names through stages and pages', async () => {
  const rows = '[{id: 9007199254740993, "a b": {c: [1, {d: null}]}, "": "x", Id: 1, id2: "ü\\"\\\\"}]'
  const answer = await server.query(`seed ${rows} || sort id || table *`)
  assert.match(answer.text, /"id":9007199254740993/)
  assert.match(answer.text, /"":"x"/)
  assert.match(answer.text, /"a b":\{"c":\[1,\{"d":null\}\]\}/)
})

test('gives pages, sorted pages and the flat view', async () => {
  const { json } = await server.query('range 1 50 n || eval o.x "n * 2" || eval t "text(100 - n)"')
  const page = async (query: string) => server.call('GET', `/v1/sirp/queries/${json.id}/results?${query}`)
  assert.deepEqual(contents(await page('offset=10&limit=2')), [
    { n: 11, o: { x: 22 }, t: '89' },
    { n: 12, o: { x: 24 }, t: '88' },
  ])
  assert.deepEqual(contents(await page('limit=1&mode=flat')), [{ n: 1, 'o.x': 2, t: '99' }])
  assert.deepEqual(contents(await page('limit=1&sort=true&sortKey=o.x&sortOrder=desc')), [
    { n: 50, o: { x: 100 }, t: '50' },
  ])
  assert.deepEqual(contents(await page('limit=1&sort=true&sortKey=t')), [{ n: 50, o: { x: 100 }, t: '50' }])
  assert.equal((await page('sort=true')).status, 400)
  assert.equal((await page('offset=60')).json.total, 50)
})

test('refuses to sort by what is not there, and a flat view that is too wide', async () => {
  const { id } = (await server.query('range 0 5000 n || stats "list(n) as all" || eval name "1"')).json
  const answered = async (query: string) => {
    const answer = await server.call('GET', `/v1/sirp/queries/${id}/results?${query}`)
    return [answer.status, answer.json.code, answer.json.detail]
  }
  assert.deepEqual(await answered('sort=true&sortKey=nam'), [
    400,
    'invalid_request',
    'There is no column nam. The columns: all, name. Did you mean name?',
  ])
  assert.deepEqual(await answered('mode=csv&sort=true&sortKey=%60a'), [
    400,
    'invalid_request',
    'A back-tick in this path is never closed.',
  ])
  const [status, code, detail] = await answered('mode=flat')
  assert.deepEqual([status, code], [413, 'too_large'])
  assert.match(detail, /more than 5000 columns.*mode=nested/)
})

test('exports the whole result in each format', async () => {
  const { json } = await server.query('seed [{a: 1, b: {c: "=1+1"}}, {a: 2}]')
  const file = async (query: string) => server.call('GET', `/v1/sirp/queries/${json.id}/results?${query}`)
  assert.equal((await file('mode=csv')).text, 'a,b.c\n1,=1+1\n2,\n')
  assert.equal((await file('mode=csv&safe=true')).text, "a,b.c\n1,'=1+1\n2,\n")
  assert.equal((await file('mode=ndjson')).text, '{"a":1,"b":{"c":"=1+1"}}\n{"a":2}\n')
  assert.deepEqual(JSON.parse((await file('mode=json')).text), [{ a: 1, b: { c: '=1+1' } }, { a: 2 }])
  const parquet = await file('mode=parquet')
  assert.equal(parquet.text.slice(0, 4), 'PAR1')
  assert.match(parquet.headers.get('content-disposition') ?? '', /attachment; filename=".*\.parquet"/)
})

test('still has the rows of every stage, also of those that were fused away', async () => {
  const { json } = await server.query(
    'range 1 6 n || filter "n > 2" --labelStage big || eval m "n * 10" || head 2',
  )
  const stage = async (name: string) =>
    contents(await server.call('GET', `/v1/sirp/queries/${json.id}/stages/${name}/results`))
  assert.equal((await stage('0')).length, 6)
  assert.deepEqual(await stage('big'), [{ n: 3 }, { n: 4 }, { n: 5 }, { n: 6 }])
  assert.equal((await stage('2')).length, 4)
  assert.deepEqual(await stage('3'), [
    { n: 3, m: 30 },
    { n: 4, m: 40 },
  ])
  const stages = await server.call('GET', `/v1/sirp/queries/${json.id}/stages`)
  assert.deepEqual(
    stages.json.items.map((item: { command: string }) => item.command),
    ['range', 'filter', 'eval', 'head'],
  )
  assert.equal((await server.call('GET', `/v1/sirp/queries/${json.id}/stages/nope`)).status, 404)
  const commands = await server.call('GET', `/v1/sirp/queries/${json.id}/stages/big/commands`)
  assert.deepEqual(commands.json.items[0].args, [['n > 2']])
})

test('keeps only the last stage with turbo and with cleanup', async () => {
  for (const more of [{ cleanup: true }, { mode: 'turbo' }]) {
    const route = 'mode' in more ? dispatch : `${dispatch}/wait`
    const query = 'range 1 5 n --labelStage all --guid || sort n --order descending || head 1'
    const { json } = await server.call('POST', route, { body: { query, ...more } })
    assert.equal(contents({ json }).length, 1)
    const gone = await server.call('GET', `/v1/sirp/queries/${json.id}/stages/all/results`)
    assert.equal(gone.status, 410)
  }
})

test('runs a longer query only from where it is new, and says so', async () => {
  const first = await server.query('range 1 1000 n || eval r "n % 7"')
  assert.equal(first.json.fromCache, false)
  const again = await server.query('range 1 1000 n   || eval r "n % 7" /* the same */')
  assert.equal(again.json.fromCache, true)
  const longer = await server.query('range 1 1000 n || eval r "n % 7" || stats "count() as c" --by r')
  const stages = await server.call('GET', `/v1/sirp/queries/${longer.json.id}/stages`)
  assert.deepEqual(
    stages.json.items.map((item: { fromCache: boolean }) => item.fromCache),
    [true, true, false],
  )
  const fresh = await server.query('range 1 1000 n --cache false || eval r "n % 7"')
  assert.equal(fresh.json.fromCache, false)
  const other = await server.query('seed {source: "a"}')
  const different = await server.query('seed {source: "b"}')
  assert.deepEqual([contents(other), contents(different)], [[{ source: 'a' }], [{ source: 'b' }]])
})

test('does what every command can do to its output, in the documented order', async () => {
  const answer = await server.query(
    'range 1 9 n || eval m "n * n" --where "m > 9" --table "m" --take 2 --appendStage 0',
  )
  assert.deepEqual(contents(answer).slice(0, 3), [{ m: 16 }, { m: 25 }, { n: 1 }])
  assert.equal(answer.json.total, 11)
})

test('dispatches one command over the results of another query', async () => {
  const prev = await server.query('range 1 4 n')
  const id = crypto.randomUUID()
  const answer = await server.call('POST', '/v1/sirp/command/dispatch', {
    body: {
      command: 'filter',
      args: [['n > 2']],
      flags: { take: 1 },
      prev: prev.json.id,
      id,
      metadata: { a: 1 },
    },
  })
  assert.equal(answer.json.id, id)
  assert.deepEqual(contents(answer), [{ n: 3 }])
  const taken = await server.call('POST', '/v1/sirp/command/dispatch', {
    body: { command: 'range', args: [['1'], ['2'], ['n']], id },
  })
  assert.equal(taken.status, 409)
  const wrong = await server.call('POST', '/v1/sirp/command/dispatch', {
    body: { command: 'filtr', line: 7 },
  })
  assert.equal(wrong.status, 422)
  assert.equal(wrong.json.errors[0].line, 7)
})

test('posts the commands of a plan as they are', async () => {
  const plan = await server.call('POST', '/v1/sirp/query/parse', {
    body: { query: 'seed [{p: "$5"}] || eval q "p" ' },
  })
  assert.equal(plan.status, 200)
  assert.equal(plan.json.valid, true)
  const answer = await server.call('POST', '/v1/sirp/command/dispatch', { body: plan.json.stages[0].command })
  assert.deepEqual(contents(answer), [{ p: '$5' }])
})

test('plans and runs a condition of thousands of parts', async () => {
  const parts = Array.from({ length: 3000 }, (_, index) => `n != ${index + 2}`).join(' and ')
  const query = `seed [{n: 1}, {n: 2}] || filter "${parts}"`
  const plan = await server.call('POST', '/v1/sirp/query/parse', { body: { query } })
  assert.equal(plan.status, 200)
  assert.deepEqual(contents(await server.query(query)), [{ n: 1 }])
})

test('offers what could be done next with the columns of a result', async () => {
  const query = 'seed [{city: "Oslo", n: 1}]'
  await server.query(query)
  const { json } = await server.call('POST', '/v1/sirp/query/decorate/attribute', { body: { query } })
  const upper = json.items.find(
    (item: { command: string; query: string }) => item.command === 'upper' && item.query.endsWith('city'),
  )
  assert.deepEqual(contents(await server.query(upper.query)), [{ city: 'OSLO', n: 1 }])
  const several = await server.call('POST', '/v1/sirp/query/decorate/multiattribute', { body: { query } })
  assert.ok(several.json.items.some((item: { command: string }) => item.command === 'sort'))
  const inside = await server.call('POST', '/v1/sirp/query/decorate/attribute', {
    body: { query: 'seed [{a: {b: "x"}}]', columns: ['a.b'] },
  })
  const found = inside.json.items.find((item: { command: string }) => item.command === 'upper')
  assert.deepEqual(contents(await server.query(found.query)), [{ a: { b: 'X' } }])
  assert.equal(
    (await server.call('POST', '/v1/sirp/query/decorate/nothing', { body: { query } })).status,
    400,
  )
})

test('completes what is being typed', async () => {
  const { json } = await server.call('POST', '/v1/sirp/query/complete', {
    body: { query: 'range 1 3 n || so', cursor: 17 },
  })
  assert.ok(json.items.some((item: { label: string }) => item.label === 'sort'))
  assert.deepEqual([json.from, json.to], [15, 17])
})

test('sums up a result, on request or at the end', async () => {
  const { json } = await server.query('seed [{a: 1, b: "x"}, {a: "3", b: "x"}, {b: "y"}]')
  const path = `/v1/sirp/queries/${json.id}/summary`
  assert.equal((await server.call('GET', `${path}/status`)).json.status, 'none')
  const summary = await server.call('GET', path)
  const [a, b] = summary.json.columns
  assert.deepEqual([a.name, a.count, a.nulls, a.mean, a.max], ['a', 2, 1, 2, 3])
  assert.deepEqual(b.top[0], { value: 'x', count: 2 })
  assert.equal((await server.call('GET', `${path}/status`)).json.status, 'ready')
  const long = await server.query('seed [{n: 9007199254740993}]')
  const { text } = await server.call('GET', `/v1/sirp/queries/${long.json.id}/summary`)
  assert.match(text, /"min":9007199254740993,/)
  const wanted = await server.query('range 1 3 n', { summary: true })
  const ready = await server.call('GET', `/v1/sirp/queries/${wanted.json.id}/summary`)
  assert.equal(ready.json.columns[0].count, 3)
})

test('cancels what runs; what is finished stays readable', async () => {
  const query =
    'range 1 5 n --labelStage few || range 1 200000000 m || eval h "sha256(text(m))" || stats "max(h) as x"'
  const { json } = await server.call('POST', dispatch, {
    body: { query },
    headers: { prefer: 'respond-async' },
  })
  await stageReached(server, json.id, 3)
  const cancelled = await server.call('POST', `/v1/sirp/queries/${json.id}/cancel`)
  assert.equal(cancelled.status, 202)
  assert.equal((await finished(server, json.id)).status, 'cancelled')
  const few = await server.call('GET', `/v1/sirp/queries/${json.id}/stages/few/results`)
  assert.equal(few.json.total, 5)
  assert.equal((await server.call('POST', `/v1/sirp/queries/${json.id}/cancel`)).status, 409)
})

test('deletes a query with its files, but spares what the cache still has', async () => {
  const { json } = await server.query('range 1 77 n')
  assert.equal((await server.call('DELETE', `/v1/sirp/queries/${json.id}`)).status, 204)
  assert.equal((await server.call('DELETE', `/v1/sirp/queries/${json.id}`)).status, 404)
  assert.equal((await server.call('GET', `/v1/sirp/queries/${json.id}`)).status, 404)
  const again = await server.query('range 1 77 n')
  assert.equal(again.json.fromCache, true)
  assert.equal(again.json.total, 77)
})

test('lists queries by status, text and time', async () => {
  await server.query('range 1 2 needle')
  const { json } = await server.call('GET', '/v1/sirp/queries?text=needle&status=completed&limit=1')
  assert.equal(json.items[0].query, 'range 1 2 needle')
  assert.equal(json.limit, 1)
  const later = await server.call('GET', `/v1/sirp/queries?since=${new Date(Date.now() + 1e6).toISOString()}`)
  assert.equal(later.json.total, 0)
})

test('tells what happens in a query as events', async () => {
  const { json } = await server.query('range 1 2 n')
  const { text, headers } = await server.call('GET', `/v1/sirp/queries/${json.id}/events`)
  assert.match(headers.get('content-type') ?? '', /text\/event-stream/)
  assert.match(text, /^event: status\n.*\n\nevent: done\ndata: .*"completed"/)
  const query = 'range 1 3000000 n || eval h "md5(text(n))" || stats "max(h) as x"'
  const running = await server.call('POST', dispatch, {
    body: { query },
    headers: { prefer: 'respond-async' },
  })
  const live = await server.call('GET', `/v1/sirp/queries/${running.json.id}/events`)
  assert.match(live.text, /event: stage\n/)
  assert.match(live.text, /event: done\n.*"status":"completed"/)
})

test('answers a hundred queries at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => server.query(`range 1 1 n || eval i "${i}"`)),
  )
  assert.deepEqual(
    answers.map(answer => contents(answer)),
    answers.map((_, i) => [{ n: 1, i }]),
  )
})

test('has an answer of 404 or 400 for ids that are none', async () => {
  assert.equal((await server.call('GET', `/v1/sirp/queries/${crypto.randomUUID()}`)).status, 404)
  assert.equal((await server.call('GET', '/v1/sirp/queries/1')).status, 400)
  assert.equal((await server.call('GET', `/v1/sirp/queries/${crypto.randomUUID()}/results`)).status, 404)
})

async function stageReached(server: RunningForage, id: string, stage: number): Promise<void> {
  for (;;) {
    const { json } = await server.call('GET', `/v1/sirp/queries/${id}/status`)
    assert.ok(['queued', 'running'].includes(json.status), `it is ${json.status}`)
    if (json.stage === stage) return
  }
}

async function finished(server: RunningForage, id: string) {
  await server.call('GET', `/v1/sirp/queries/${id}/events`)
  return (await server.call('GET', `/v1/sirp/queries/${id}`)).json
}
