import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CliCommand } from '../../src/cli/command.ts'
import { explain } from '../../src/cli/explain.ts'
import { format } from '../../src/cli/format.ts'
import { parse } from '../../src/cli/parse.ts'
import { stageLine } from '../../src/cli/query/progress.ts'
import type { Stage } from '../../src/cli/query/session.ts'
import { renderTable } from '../../src/cli/query/table.ts'
import { cut, widthOf } from '../../src/cli/query/width.ts'
import { forage, type Served, serve, start } from '../support/forage.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
const SQUARES =
  'range 1 1000000 n || eval sq "n * n" || filter "sq % 7 == 0" || stats "count() as c, max(sq) as m"'
const ANSWER = `     c             m
──────  ────────────
142857  999998000001

1 row
`

/** Runs a command in this process and gives what it printed. */
async function printed(
  command: CliCommand,
  query: string | undefined,
  options: Record<string, string | boolean>,
) {
  let output = ''
  const status = await command.run({
    arguments: { query },
    options,
    env: { FORAGE_DATA: join(folder, 'own') },
    print: line => {
      output += `${line}\n`
    },
  })
  return { status, output }
}

describe('forage query, in its own process', () => {
  const env = { FORAGE_DATA: join(folder, 'own') }

  it('prints the answer as a table, and on request a line for each stage', async () => {
    const first = await forage(['query', SQUARES, '--verbose'], env)
    assert.deepEqual([first.status, first.stdout], [0, ANSWER])
    assert.match(
      first.stderr,
      /^✓ 0 range {3}in one with the next\n[\s\S]*\n✓ 3 stats {3}1 row {2}\d+\.\d\d s\n$/,
    )
    const second = await forage(['query', SQUARES, '--verbose'], env)
    assert.equal(second.stdout, ANSWER)
    assert.match(second.stderr, /✓ 3 stats {3}1 row {2}from the cache\n$/)
  })

  it('reads the query from standard input and streams every row', async () => {
    const { status, stdout, stderr } = await forage(['query', '--format', 'ndjson'], env, 'range 1 20000 n')
    assert.deepEqual([status, stderr], [0, ''])
    const lines = stdout.trimEnd().split('\n')
    assert.equal(lines.length, 20_000)
    assert.deepEqual([lines[0], lines.at(-1)], ['{"n":1}', '{"n":20000}'])
  })

  it('shows every mistake with its place, and runs nothing', async () => {
    const { status, stdout, stderr } = await forage(['query', 'range 1 3 n || eval x "n *" || fliter n'], env)
    assert.deepEqual([status, stdout], [11, ''])
    assert.match(stderr, /line 1, column 26/)
    assert.match(
      stderr,
      /There is no command fliter\.\n {2}1 \| .*\n {4}\| {32}\^{6}\n {2}hint: Did you mean filter\?\n$/,
    )
  })

  it('shows where a query failed; the file that it should have written is not there', async () => {
    const output = join(folder, 'never.csv')
    const failed = await forage(['query', 'range 1 3 n || eval x "missing + 1"', '--output', output], env)
    assert.equal(failed.status, 12)
    assert.match(failed.stderr, /There is no column missing[\s\S]*\^\n/)
    assert.equal(existsSync(output), false)
  })

  it('leaves no folder behind where there is none', async () => {
    const { status } = await forage(['query', 'range 1 3 n'], {})
    assert.equal(status, 0)
    assert.equal(existsSync(join(folder, 'data')), false)
  })
})

describe('forage query, on a server', () => {
  const data = join(folder, 'served')
  const env = { FORAGE_DATA: data }
  let served: Served
  before(async () => {
    served = await serve(data)
  })
  after(() => served.end())

  const api = async (path: string) => {
    const headers = { authorization: `svc ${served.key}` }
    return (await fetch(`${served.address}/v1/sirp/${path}`, { headers })).json()
  }

  it('finds the one that works on the data folder, and needs no key for it', async () => {
    const { status, stdout, stderr } = await forage(['query', SQUARES], env)
    assert.deepEqual([status, stdout, stderr], [0, ANSWER, ''])
    const { items } = (await api('queries')) as { items: { query: string; status: string }[] }
    assert.deepEqual(
      items.map(({ query, status: ended }) => [query, ended]),
      [[SQUARES, 'completed']],
    )
    assert.equal(statSync(join(data, 'owner.json')).mode & 0o777, 0o600)
  })

  it('asks the one that is named, and writes a file whose name says the format', async () => {
    const output = join(folder, 'rows.csv')
    const words = ['query', 'seed [{"a":"x,y","b":{"c":1}}]', '--output', output, '--key', served.key!]
    const { status, stderr } = await forage([...words, '--server', served.address])
    assert.deepEqual([status, stderr], [0, ''])
    assert.equal(readFileSync(output, 'utf8'), 'a,b.c\n"x,y",1\n')
  })

  it('says who refused, and what to do', async () => {
    const refused = await forage(['query', 'range 1 3 n', '--server', served.address, '--key', 'wrong'])
    assert.equal(refused.status, 13)
    assert.match(refused.stderr, /does not know the API key\nWhat to do: /)
    const missing = await forage(['query', 'range 1 3 n'], {
      FORAGE_URL: 'http://127.0.0.1:1',
      FORAGE_API_KEY: 'k',
    })
    assert.equal(missing.status, 13)
    assert.match(missing.stderr, /127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/)
  })

  it('shows mistakes that the server found', async () => {
    const { status, stderr } = await forage(['query', 'range 1 3 n || fliter n'], env)
    assert.equal(status, 11)
    assert.match(stderr, /\^{6}\n {2}hint: Did you mean filter\?\n$/)
  })

  it('cancels the query on Ctrl-C', async () => {
    const child = start(['query', 'range 1 2000000000 n || eval s "(n * 7919) % 1000003" || sort s'], env)
    const exit = new Promise<number | null>(resolve => child.once('exit', resolve))
    const stderr = text(child.stderr!)
    let running: { id: string }[] = []
    while (running.length === 0 && child.exitCode === null) {
      await sleep(50)
      running = ((await api('queries?status=running')) as { items: { id: string }[] }).items
    }
    child.kill('SIGINT')
    assert.deepEqual([await exit, await stderr], [130, 'cancelled\n'])
    const { status } = (await api(`queries/${running[0]!.id}`)) as { status: string }
    assert.equal(status, 'cancelled')
  })
})

describe('what is said of a query without running it', () => {
  it('parse: the plan as JSON, long integers exact', async () => {
    const { status, output } = await printed(parse, 'range 1 3 n || eval x "9007199254740993"', {})
    assert.equal(status, 0)
    const plan = JSON.parse(output)
    assert.equal(plan.valid, true)
    assert.deepEqual(plan.stages[1].command.args, [['x'], ['9007199254740993']])
  })

  it('explain: what runs in one, what is asked of whom, what is in the cache', async () => {
    const query = 'range 1 20 n || eval m "n * 2" || api get "https://shop.example/$m$" || head 3'
    const { output } = await printed(explain, query, {})
    assert.equal(
      output,
      `1. one statement for 2 stages
   0 range  source
   1 eval   reduce
2. once for each row
   2 api    expand  requests: 20 to shop.example; at least 19.0 s
3. one statement
   3 head   reduce

20 requests, at least 19.0 s.
`,
    )
    await forage(['query', 'range 1 5 k'], { FORAGE_DATA: join(folder, 'own') })
    const cached = await printed(explain, 'range 1 5 k || eval l "k + 1"', {})
    assert.match(cached.output, /0 range {2}source {2}in the cache\n {3}1 eval {3}reduce\n\nNo requests\.\n$/)
  })

  it('format: a stage a line, in place on request; a mistake leaves the file alone', async () => {
    const file = join(folder, 'query.fq')
    writeFileSync(file, 'RANGE 1 3 n||FILTER "n > 1"')
    assert.equal((await printed(format, undefined, { file })).output, 'range 1 3 n\n|| filter "n > 1"\n')
    await printed(format, undefined, { file, write: true })
    assert.equal(readFileSync(file, 'utf8'), 'range 1 3 n\n|| filter "n > 1"\n')
    await assert.rejects(printed(format, 'range 1 3 n', { write: true }), /needs a file/)
  })
})

describe('a table', () => {
  const columns = [
    { name: 'name', type: 'string' },
    { name: 'n', type: 'number' },
    { name: 'more', type: 'json' },
  ] as const

  it('aligns by what a terminal shows, numbers to the right, nested values as JSON', () => {
    const rows = [
      { name: '日本語', n: 5n, more: { a: [1, 9007199254740993n] } },
      { name: '👩‍👩‍👧 e\u0301', n: 12, more: null },
      { name: 'two\nlines\u001b[31m', n: null, more: 'text' },
    ]
    assert.equal(
      renderTable({ columns, rows, total: 3 }),
      `name             n  more
──────────────  ──  ──────────────────────────
日本語           5  {"a":[1,9007199254740993]}
👩‍👩‍👧 e\u0301            12
two↵lines·[31m      text

3 rows`,
    )
  })

  it('fits: long cells are cut, columns without room are named, numbers stay whole', () => {
    const rows = [{ name: 'x'.repeat(50), n: 123456789012, more: 'y'.repeat(50) }]
    const shown = renderTable({ columns, rows, total: 2_000_000 }, 40)
    for (const line of shown.split('\n').slice(0, 3)) assert.ok(widthOf(line) <= 40, line)
    assert.match(shown, /^x{11}… {2}123456789012 {2}y{11}…$/m)
    assert.match(shown, /the first 1 of 2,000,000 rows; --limit shows more/)
    assert.match(renderTable({ columns, rows, total: 1 }, 25), /1 row\nno room for: more$/)
  })

  it('measures and cuts whole characters', () => {
    assert.deepEqual(['abc', '日本', '🇨🇭', 'e\u0301', '❤️', '\u200b'].map(widthOf), [3, 4, 2, 1, 2, 0])
    assert.deepEqual(
      [cut('abcdef', 6), cut('abcdef', 5), cut('日本語', 5), cut('日本語', 6), cut('ab🇨🇭cd', 4)],
      ['abcdef', 'abcd…', '日本…', '日本語', 'ab…'],
    )
  })
})

it('a line for a stage tells how far it is', () => {
  const stage = {
    index: 0,
    command: 'api',
    status: 'running',
    rows: null,
    failedRows: 2,
    jobs: { total: 1200, done: 30, failed: 2, waiting: 0 },
    durationMs: 2500,
    startedAt: null,
    fromCache: false,
  } as unknown as Stage
  assert.equal(stageLine(stage, [stage]), '… 0 api  30 of 1,200 rows done  2 failed  2.50 s')
})
