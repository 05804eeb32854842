import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forage } from '../support/service.ts'

const app = await forage()
const PATH = '/v1/sirp/templates'
const NOBODY = '00000000-0000-4000-8000-000000000000'

const template = (name: string, query: string, more: object = {}) => ({
  name,
  description: 'd',
  query,
  ...more,
})
const create = (name: string, query: string, more: object = {}) =>
  app.call('POST', PATH, { body: template(name, query, more) })
const dispatch = (query: string, values?: object, more: object = {}) =>
  app.call('POST', `${PATH}/dispatch`, { body: { query, ...(values && { values }), ...more } })
const rowsOf = ({ json }: { json: { results: { content: unknown }[] } }) =>
  json.results.map(row => row.content)

const schema = {
  type: 'object',
  properties: {
    last: { type: 'integer', title: 'The last number', minimum: 1, maximum: 10, default: 3 },
    name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
    kind: { enum: ['a', 'b', 1] },
  },
  required: ['name'],
}

test('a template is created, read with its parameters, changed and deleted', async () => {
  const made = await create('numbers one', 'range 1 $template.last$ $template.name$', {
    templateSchema: schema,
  })
  assert.equal(made.status, 201, made.text)
  const { json } = made
  assert.equal(made.headers.get('location'), `${PATH}/${json.id}`)
  assert.deepEqual(json.parameters, [
    { name: 'last', required: false, type: 'integer' },
    { name: 'name', required: true, type: 'string' },
  ])
  const read = await app.call('GET', `${PATH}/${json.id}`)
  assert.deepEqual(read.json, json)
  const etag = read.headers.get('etag')!
  const changed = await app.call('PUT', `${PATH}/${json.id}`, {
    body: { description: 'better' },
    headers: { 'if-match': etag },
  })
  assert.deepEqual(
    [changed.status, changed.json.description, changed.json.name],
    [200, 'better', 'numbers one'],
  )
  const stale = await app.call('PUT', `${PATH}/${json.id}`, {
    body: { name: 'x' },
    headers: { 'if-match': etag },
  })
  assert.equal(stale.status, 412)
  assert.equal((await create('numbers one', 'devices')).status, 409)
  await create('taken', 'seed []')
  assert.equal((await app.call('PUT', `${PATH}/${json.id}`, { body: { name: 'taken' } })).status, 409)
  assert.equal((await app.call('PUT', `${PATH}/${json.id}`, { body: { name: 'numbers one' } })).status, 200)
  assert.equal((await app.call('PUT', `${PATH}/${json.id}`, { body: { templateSchema: {} } })).status, 400)
  assert.equal((await app.call('DELETE', `${PATH}/${json.id}`)).status, 204)
  for (const method of ['GET', 'DELETE'])
    assert.equal((await app.call(method, `${PATH}/${json.id}`)).status, 404)
  assert.equal((await app.call('PUT', `${PATH}/${NOBODY}`, { body: {} })).status, 404)
  assert.equal((await app.call('GET', `${PATH}/no-uuid`)).status, 400)
})

test('the list is searched by a part of the name, and sorted', async () => {
  for (const name of ['Sort c', 'sort A', 'sort b%']) await create(name, 'seed []')
  const names = async (query: string) => {
    const { json } = await app.call('GET', `${PATH}?${query}`)
    return json.items.map((item: { name: string }) => item.name)
  }
  assert.deepEqual(await names('name=SORT&sortBy=-createdAt'), ['sort b%', 'sort A', 'Sort c'])
  assert.deepEqual(await names('name=sort&sortBy=name'), ['Sort c', 'sort A', 'sort b%'])
  assert.deepEqual(await names('name=%25'), ['sort b%'])
  assert.deepEqual(await names('name=sort&limit=1&offset=1'), ['sort A'])
  assert.equal((await app.call('GET', `${PATH}?sortBy=query`)).json.errors[0].path, '$.sortBy')
  assert.equal((await app.call('GET', `${PATH}?name=`)).status, 400)
})

test('lengths hold at both edges, and a text that is no query is refused with its mistakes', async () => {
  assert.equal((await create('n'.repeat(1000), 'seed []')).status, 201)
  assert.equal((await create('n'.repeat(1001), 'seed []')).status, 400)
  assert.equal((await create('', 'seed []')).status, 400)
  const long = `seed [] /*${'x'.repeat(1_048_576 - 12)}*/`
  assert.equal((await create('long', long, { description: 'd'.repeat(100_000) })).status, 201)
  assert.equal((await create('longer', `${long} `)).status, 400)
  assert.equal((await create('wordy', 'seed []', { description: 'd'.repeat(100_001) })).status, 400)
  const wrong = await create('wrong', 'seed [] || nonsense $template.x$')
  assert.deepEqual([wrong.status, wrong.json.code], [422, 'query_invalid'])
})

test('schemas are a safe part of JSON Schema', async () => {
  const refused: [string, object, string][] = [
    [
      'a reference',
      { properties: { x: { $ref: 'http://a.example/s.json' } } },
      '$.templateSchema.properties.x.$ref',
    ],
    ['a root that is no object', { type: 'string' }, '$.templateSchema.type'],
    ['an unknown word', { oneOf: [] }, '$.templateSchema.oneOf'],
    ['an unknown type', { properties: { x: { type: 'date' } } }, '$.templateSchema.properties.x.type'],
    ['no schema', { properties: { x: 5 } }, '$.templateSchema.properties.x'],
    [
      'a bad default',
      { properties: { x: { type: 'integer', default: 'a' } } },
      '$.templateSchema.properties.x.default',
    ],
    [
      'a default out of bounds',
      { properties: { x: { maximum: 3, default: 4 } } },
      '$.templateSchema.properties.x.default',
    ],
    [
      'a bad choice',
      { properties: { x: { type: 'string', enum: ['a', 1] } } },
      '$.templateSchema.properties.x.enum[1]',
    ],
    ['look-ahead', { properties: { x: { pattern: '(?=a)' } } }, '$.templateSchema.properties.x.pattern'],
    [
      'nothing for a parameter',
      { properties: {}, additionalProperties: false },
      '$.templateSchema.properties.x',
    ],
  ]
  for (const [what, templateSchema, path] of refused) {
    const { status, json } = await create(what, 'addcolumn v $template.x$', { templateSchema })
    assert.deepEqual([status, json.errors?.[0]?.path], [400, path], `${what} ${JSON.stringify(json)}`)
  }
  let deep: object = { type: 'string' }
  for (let depth = 0; depth < 12; depth++) deep = { properties: { x: deep } }
  assert.equal((await create('deep', 'seed []', { templateSchema: deep })).status, 400)
  const { json } = await create('strict', 'seed []', {
    templateSchema: { properties: {}, additionalProperties: false },
  })
  const { status } = await app.call('PUT', `${PATH}/${json.id}`, {
    body: { query: 'addcolumn v $template.x$' },
  })
  assert.equal(status, 400)
})

test('values are checked, defaults filled in, and the query is dispatched by id or as text', async () => {
  const { json } = await create('dispatched', 'range 1 $template.last$ $template.name$', {
    templateSchema: schema,
  })
  const done = await dispatch(json.id, { name: 'n', last: 2 }, { metadata: { a: 1 } })
  assert.deepEqual(rowsOf(done), [{ n: 1 }, { n: 2 }])
  assert.deepEqual(
    [done.json.templateId, done.json.status, done.json.metadata],
    [json.id, 'completed', { a: 1 }],
  )
  assert.equal(rowsOf(await dispatch(json.id, { name: 'n' })).length, 3)
  for (const [values, path] of [
    [{}, '$.values.name'],
    [{ name: 'N' }, '$.values.name'],
    [{ name: 'toolong' }, '$.values.name'],
    [{ name: 'n', last: 0 }, '$.values.last'],
    [{ name: 'n', last: 11 }, '$.values.last'],
    [{ name: 'n', last: 1.5 }, '$.values.last'],
    [{ name: 'n', last: '2' }, '$.values.last'],
    [{ name: 'n', kind: 'c' }, '$.values.kind'],
    [{ name: 'n', other: 1 }, '$.values.other'],
  ] as const) {
    const refused = await dispatch(json.id, values)
    assert.deepEqual([refused.status, refused.json.errors[0].path], [400, path], JSON.stringify(values))
  }
  for (const last of [1, 10]) assert.equal(rowsOf(await dispatch(json.id, { name: 'n', last })).length, last)
  const text = await dispatch('seed {v: "$template.v$", t: "<$template.v$>"}', { v: { a: [1] } })
  assert.deepEqual(rowsOf(text), [{ v: { a: [1] }, t: '<{"a":[1]}>' }])
  assert.equal(text.json.templateId, null)
  assert.equal((await dispatch(NOBODY)).status, 404)
  assert.equal((await dispatch('seed {v: "$template.v$"}')).json.errors[0].path, '$.values.v')
  assert.equal((await app.query('seed {v: "$template.v$"}')).status, 422)
})

test('who does not want to wait is told where to look', async () => {
  const { status, headers, json } = await app.call('POST', `${PATH}/dispatch`, {
    body: { query: 'range 1 $template.last$ n', values: { last: 2 } },
    headers: { prefer: 'respond-async' },
  })
  assert.deepEqual([status, headers.get('location')], [202, `/v1/sirp/queries/${json.id}`])
  assert.equal(json.results, undefined)
})

test('a value is only ever a value', async () => {
  const hostile = '" || freeze stolen || seed [] --labelStage x \\$ $GUID$ ```'
  const done = await dispatch('seed [{}] || addcolumn v "$template.v$" || filter "v == $template.v$"', {
    v: hostile,
  })
  assert.deepEqual(rowsOf(done), [{ v: hostile }])
  assert.equal(done.json.stages, 3)
  const url = await dispatch(`api get ${app.demo}/api/products/$template.id$`, { id: '../../echo' })
  assert.equal(url.json.status, 'failed')
  const host = await dispatch(`api get "$template.url$" || table id`, { url: `${app.demo}/api/products/1` })
  assert.equal(host.json.status, 'completed', JSON.stringify(host.json.error))
})

test('parse shows the plan with the values in it', async () => {
  const parse = (query: string, values?: object) =>
    app.call('POST', `${PATH}/parse`, { body: { query, ...(values && { values }) } })
  const query =
    'api get https://a.example/$template.page$ --headers {x: "$template.h$"} --take $template.n$ || addcolumn c "$template.h$"'
  const { json, status } = await parse(query, { page: 5, h: 'a$b', n: 2 })
  assert.equal(status, 200, JSON.stringify(json))
  const [first, second] = json.stages
  assert.deepEqual(first.command.args, [['get'], ['https://a.example/', '5']])
  assert.deepEqual([first.command.flags.headers, first.command.flags.take], [{ x: 'a\\$b' }, 2])
  assert.deepEqual(second.command.args, [['c'], ['a', '\\$', 'b']])
  assert.deepEqual([first.tokens, second.tokens], [[], []])
  const partly = await parse(query, { page: 1 })
  assert.deepEqual(partly.json.stages[0].tokens.toSorted(), ['$template.h$', '$template.n$'])
  const made = await create('parsed', 'range 1 $template.last$ $template.name$', { templateSchema: schema })
  const byId = await parse(made.json.id, { name: 'q' })
  assert.deepEqual(byId.json.stages[0].command.args, [['1'], ['3'], ['q']])
  assert.equal((await parse(made.json.id, { name: 'Q' })).status, 400)
  assert.equal((await parse('nonsense $template.x$')).status, 422)
  assert.equal((await parse('')).status, 400)
})

test('runTemplate runs a template inside a query', async () => {
  await create('inner', 'range 1 $template.last$ $template.name$', { templateSchema: schema })
  assert.deepEqual(rowsOf(await app.query('runTemplate inner --template.last 2 --template.name n')), [
    { n: 1 },
    { n: 2 },
  ])
  assert.deepEqual(
    rowsOf(await app.query('runTemplate inner --template.name n || stats "sum(n) as total"')),
    [{ total: 6 }],
  )
  await create('outer', 'runTemplate inner --template.name $template.column$ --template.last 1')
  assert.deepEqual(rowsOf(await dispatch('runTemplate outer --template.column $template.c$', { c: 'z' })), [
    { z: 1 },
  ])
  const wrong = await app.query('runTemplate inner --template.last many --template.name n')
  assert.deepEqual([wrong.json.error.code, wrong.json.error.stage], ['template_values', 0])
  assert.match(wrong.json.error.message, /--template\.last must be an integer/)
  assert.equal((await app.query('runTemplate nobody')).json.code, 'query_invalid')
  await create('failing', 'range 1 2 n || assert "n < 2"')
  const failed = await app.query('runTemplate failing')
  assert.match(failed.json.error.message, /^In the template failing, stage 1 \(line 1, column 16\)/)
})

test('templates run templates five deep, and never in a circle', async () => {
  await create('depth 1', 'seed {deep: true}')
  for (let depth = 2; depth <= 6; depth++) await create(`depth ${depth}`, `runTemplate "depth ${depth - 1}"`)
  assert.deepEqual(rowsOf(await app.query('runTemplate "depth 5"')), [{ deep: true }])
  assert.match((await app.query('runTemplate "depth 6"')).json.error.message, /more than 5 deep/)
  const { json: first } = await create('circle a', 'seed []')
  const { json: second } = await create('circle b', 'runTemplate "circle a"')
  await app.call('PUT', `${PATH}/${first.id}`, { body: { query: 'runTemplate "circle b"' } })
  for (const query of ['runTemplate "circle a"', 'runTemplate "circle b"'])
    assert.equal((await app.query(query)).json.error.code, 'template_circle')
  assert.equal((await dispatch(second.id)).json.error.code, 'template_circle')
})

test('a template does inside a query what it does by itself: cellar, baselines, cache, failed rows', async () => {
  await create('worker', 'seed [{id: "$template.id$"}] || diff in-template --key id || freeze in-template')
  const run = (id: number) => app.query(`runTemplate worker --template.id ${id} || table id`)
  assert.deepEqual(rowsOf(await run(1)), [{ id: '1' }])
  const { json } = await app.query('runTemplate worker --template.id 1 || count')
  assert.deepEqual(json.results, [{ content: { count: 0 } }])
  await create(
    'fetching',
    `seed [{url: "${app.demo}/api/products/1"}, {url: "http://127.0.0.1:1/"}] || api get $url$ --retry 0`,
  )
  const failed = await app.query('runTemplate fetching')
  assert.deepEqual(
    [failed.json.status, failed.json.failedRows, failed.json.results?.length],
    ['completed', 1, 2],
  )
})
