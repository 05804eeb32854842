import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { Database } from '../../src/engine/tables/database.ts'
import type { JobRecord } from '../../src/engine/tables/job-record.ts'
import { type Job, Journal } from '../../src/engine/tables/journal.ts'
import { readRecords, writeRecords } from '../../src/engine/tables/records.ts'
import { fromFile, writeJournal } from '../../src/engine/tables/stage-file.ts'
import { WriteGroup } from '../../src/engine/tables/write-group.ts'
import type { Row } from '../../src/language/json.ts'
import { sql } from '../../src/sql/sql.ts'

let folder: string
let database: Database
let files = 0
const nextFile = () => join(folder, `${files++}`)

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forage-journal-'))
  database = await Database.open({
    temporary: join(folder, 'temporary'),
    folders: [folder],
    memoryMb: 500,
    threads: 2,
  })
})
after(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

/** What a record says, and the record as a journal takes it. */
const said = (input: number, status: JobRecord['status'] = 'completed') => ({
  id: `job ${input}`,
  args: ['get', `https://shop.example/${input}\n"`],
  status,
  durationMs: input,
  error: status === 'failed' ? { code: 'timeout', message: 'too slow' } : null,
})
const record = (input: number, status?: JobRecord['status']): JobRecord => {
  const text = said(input, status)
  return { status: text.status, error: text.error, text: JSON.stringify(text) }
}

async function tableOf(journal: Journal): Promise<Row[]> {
  const stage = await writeJournal(database, journal.summary, nextFile())
  const relation = fromFile(stage.file, stage.columns)
  const rows = await database.rows(sql`SELECT * EXCLUDE (_rn) FROM (${relation.sql}) ORDER BY _rn`)
  return rows.map(row => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
}

/** Small, yet with everything: late columns, types that widen, an empty job, a failed one, text of several bytes. */
const jobs: (Job & { readonly rows: readonly Row[] })[] = [
  { input: 2, rows: [{ n: 1, t: 'é\n' }, { n: 2 }], record: record(2) },
  { input: 0, rows: [], record: record(0) },
  { input: 3, rows: [{ n: 0.5, late: { x: '😀' } }], record: record(3) },
  { input: 1, rows: [{ _i: 9, n: 3 }, {}, { t: '"_k":1' }], record: record(1, 'failed') },
]
const expected = (inputs: readonly number[]): Row[] =>
  [...inputs].sort().flatMap(input => [...jobs.find(job => job.input === input)!.rows])

async function written(): Promise<{ file: string; ends: number[] }> {
  const file = nextFile()
  const journal = await Journal.create(file)
  const ends = [0]
  for (const job of jobs) {
    await journal.append(job)
    ends.push(readFileSync(file).length)
  }
  await journal.close()
  return { file, ends }
}

/** The first input rows whose jobs are in. */
const doneIn = (journal: Journal): number[] => [...Array(40).keys()].filter(input => journal.done.has(input))

describe('the journal', () => {
  test('gives its rows in the order of the input, however the jobs came in', async () => {
    const { file } = await written()
    const journal = await Journal.recover(file)
    assert.deepEqual(await tableOf(journal), expected([0, 1, 2, 3]))
    await journal.close()
  })

  test('is taken up after being cut at any byte', async () => {
    const { file, ends } = await written()
    const torn = nextFile()
    for (let length = 0; length <= ends.at(-1)!; length++) {
      copyFileSync(file, torn)
      truncateSync(torn, length)
      const journal = await Journal.recover(torn)
      const whole = ends.filter(end => end > 0 && end <= length).length
      assert.deepEqual(
        doneIn(journal),
        jobs
          .slice(0, whole)
          .map(job => job.input)
          .sort(),
        `cut at ${length}`,
      )
      for (const job of jobs) assert.equal(await journal.append(job), !jobs.slice(0, whole).includes(job))
      await journal.close()
      assert.equal(readFileSync(torn).equals(readFileSync(file)), true, `cut at ${length}`)
    }
  })

  test('a job whose bytes were lost in the middle is run again, and so are those after it', async () => {
    const { file, ends } = await written()
    const bytes = readFileSync(file)
    bytes.fill(0, ends[3]! - 5, ends[3]! - 2)
    writeFileSync(file, bytes)
    const journal = await Journal.recover(file)
    assert.deepEqual(doneIn(journal), [0, 2])
    assert.deepEqual([journal.jobs, journal.rows, journal.tally.failed], [2, 2, 0])
    assert.deepEqual(await tableOf(journal), expected([2, 0]))
    await journal.close()
  })

  test('types survive the crash: a column that was text before it stays text after', async () => {
    const file = nextFile()
    const first = await Journal.create(file)
    await first.append({ input: 0, rows: [{ a: 'x', b: 1 }] })
    await first.close()
    const second = await Journal.recover(file)
    await second.append({ input: 1, rows: [{ c: true, b: 9007199254740993n, a: 5 }] })
    assert.deepEqual(await tableOf(second), [
      { a: 'x', b: 1 },
      { a: 5, b: 9007199254740993n, c: true },
    ])
    await second.close()
  })

  test('is written by itself after a moment', async () => {
    const file = nextFile()
    const journal = await Journal.create(file)
    journal.add({ input: 0, rows: [{ n: 1 }] })
    assert.equal(journal.hasRoom(1), false)
    while (!journal.hasRoom(1)) await turn()
    assert.match(readFileSync(file, 'utf8'), /^\{.*"c0":1.*\}\n$/)
    await journal.close()
  })

  test('is written soon also where the write before it takes long', async () => {
    const file = nextFile()
    execFileSync('mkfifo', [file])
    const reading = open(file, 'r')
    const journal = await Journal.create(file, { durable: false })
    const pipe = await reading
    // More than a pipe holds, so the write lasts until somebody reads; the moment of the second job passes meanwhile.
    journal.add({ input: 0, rows: Array.from({ length: 20 }, () => ({ text: 'x'.repeat(90_000) })) })
    journal.add({ input: 1, rows: [{ text: 'the second' }] })
    await sleep(50)
    let text = ''
    const some = Buffer.alloc(65_536)
    const second = (async () => {
      while (!text.includes('the second'))
        text += some.toString('latin1', 0, (await pipe.read(some)).bytesRead)
    })()
    await Promise.race([second, sleep(5000, undefined, { ref: false })])
    const isThere = text.includes('the second')
    await journal.close()
    await second
    await pipe.close()
    assert.ok(isThere)
  })

  test('is written at once when many jobs wait, or much text; small pieces together, in their order', async () => {
    const many = new WriteGroup()
    for (; !many.isFull; many.jobs++) many.add(`${many.jobs}\n`)
    assert.equal(many.jobs, 256)
    const [text, ...more] = await Array.fromAsync(many.parts())
    assert.deepEqual([text, more], [[...Array(256).keys(), ''].join('\n'), []])

    const large = new WriteGroup()
    const piece = 'x'.repeat(400_000)
    for (; !large.isFull; large.jobs++) large.add(piece)
    assert.equal(large.jobs, 3)
    const parts = await Array.fromAsync(large.parts())
    assert.deepEqual(
      parts.map(part => part.length),
      [800_000, 400_000],
    )
  })

  test('takes a job for an input row only once', async () => {
    const journal = await Journal.create(nextFile())
    const both = [
      journal.append({ input: 7, rows: [{ n: 1 }] }),
      journal.append({ input: 7, rows: [{ n: 2 }] }),
    ]
    assert.deepEqual(await Promise.all(both), [true, false])
    assert.deepEqual(await tableOf(journal), [{ n: 1 }])
    await journal.close()
  })

  test('many jobs at once, each in one piece', async () => {
    const file = nextFile()
    const journal = await Journal.create(file)
    const count = 2000
    await Promise.all(
      Array.from({ length: count }, (_, n) =>
        journal.append({
          input: count - 1 - n,
          rows: [{ n: (count - 1 - n) * 2 }, { n: (count - 1 - n) * 2 + 1 }],
        }),
      ),
    )
    await journal.sync()
    await journal.close()
    const again = await Journal.recover(file)
    assert.equal(again.done.size, count)
    assert.deepEqual(
      await tableOf(again),
      Array.from({ length: count * 2 }, (_, n) => ({ n })),
    )
    await again.close()
  })

  test('rows that come one after another are in it as if they had come at once, however many', async () => {
    const [file, other, scratch] = [nextFile(), nextFile(), nextFile()]
    const journal = await Journal.create(file)
    const spool = journal.spool(0, scratch)
    const count = 40_000
    for (let from = 0; from < count; from += 1000) {
      await spool.write(Array.from({ length: 1000 }, (_, n) => ({ n: from + n, t: 'é'.repeat(50) })))
    }
    assert.ok(statSync(scratch).size > 2_000_000, 'memory does not hold them')
    journal.add({ input: 1, rows: [{ late: true }] })
    journal.add({ input: 0, rows: spool, record: record(0) })
    journal.add({ input: 2, rows: [] })
    await journal.close()
    assert.equal(existsSync(scratch), false)
    const again = await Journal.recover(file)
    assert.deepEqual(doneIn(again), [0, 1, 2])
    const table = await tableOf(again)
    assert.equal(table.length, count + 1)
    assert.deepEqual(
      [table[0], table[count - 1]?.n, table[count]],
      [{ n: 0, t: 'é'.repeat(50) }, count - 1, { late: true }],
    )
    await again.close()
    copyFileSync(file, other)
    truncateSync(other, statSync(other).size - 200)
    const torn = await Journal.recover(other)
    assert.deepEqual(doneIn(torn), [1], 'half of such a job is none of it')
    await torn.close()
  })

  test('rows that were written before a job failed are nowhere', async () => {
    const [file, scratch] = [nextFile(), nextFile()]
    const journal = await Journal.create(file)
    const spool = journal.spool(0, scratch)
    await spool.write([{ t: 'x'.repeat(2_000_000) }])
    assert.equal(existsSync(scratch), true)
    await spool.discard()
    assert.equal(existsSync(scratch), false)
    journal.add({ input: 0, rows: [{ n: 1 }] })
    await journal.sync()
    assert.deepEqual(await tableOf(journal), [{ n: 1 }])
    await journal.close()
  })

  test('a job that cannot be written as it is leaves the others whole', async () => {
    const file = nextFile()
    const journal = await Journal.create(file, { maxColumns: 2 })
    await journal.append({ input: 0, rows: [{ a: 1 }] })
    await assert.rejects(journal.append({ input: 1, rows: [{ b: 1 }, { c: 1 }] }), {
      code: 'too_many_columns',
    })
    await journal.append({ input: 2, rows: [{ b: 'x' }] })
    await journal.close()
    const again = await Journal.recover(file)
    assert.deepEqual(doneIn(again), [0, 2])
    assert.deepEqual(await tableOf(again), [{ a: 1 }, { b: 'x' }])
    await again.close()
  })
})

describe('records of the jobs', () => {
  test('are read by page, from a journal that is still being written and from the file kept after it', async () => {
    const { file } = await written()
    writeFileSync(file, '{"_i":9,"_k":0,"c0":"torn', { flag: 'a' })
    const kept = await writeRecords(database, file, nextFile())
    for (const source of [file, kept]) {
      const page = await readRecords(database, source, { offset: 1, limit: 2 })
      assert.equal(page.total, 4)
      assert.deepEqual(JSON.parse(page.json), [
        { ...said(1, 'failed'), row: 1, rows: 3 },
        { ...said(2), row: 2, rows: 2 },
      ])
    }
  })
})
