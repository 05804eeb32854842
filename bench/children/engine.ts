// Our tables as a query uses them, without the service around it: what a task takes, and the most memory it ever took.
import { linkSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from '../../src/commands/command.ts'
import { commands } from '../../src/commands/index.ts'
import type { Expander } from '../../src/engine/expand-stage.ts'
import { MapperPool } from '../../src/engine/mapping/pool.ts'
import { Run } from '../../src/engine/run.ts'
import { UNOBSERVED } from '../../src/engine/run-options.ts'
import { Sandbox } from '../../src/engine/sandbox/sandbox.ts'
import { Database } from '../../src/engine/tables/database.ts'
import { exportTable } from '../../src/engine/tables/export.ts'
import { readPage } from '../../src/engine/tables/results.ts'
import { parquetFormat, type StageFile } from '../../src/engine/tables/stage-file.ts'
import { summarize } from '../../src/engine/tables/summary.ts'
import { Tables } from '../../src/engine/tables/tables.ts'
import { entryUrl } from '../../src/entry.ts'
import { plan } from '../../src/language/planner.ts'
import { constantsOf } from '../../src/services/sirp/constants.ts'
import { loadSettings } from '../../src/settings.ts'
import { literal, Sql, sql } from '../../src/sql/sql.ts'
import { serve } from '../child.ts'
import { COLUMNS, MILLION, PAGE_ROWS, ROWS, type Task } from '../million.ts'

const folder = process.argv[2]!
const { settings } = loadSettings({ FORAGE_DATA: folder })
const files = join(folder, 'tables')
await mkdir(files, { recursive: true })
const database = await Database.open({
  temporary: join(folder, 'temporary'),
  folders: [files],
  memoryMb: settings.memoryMb,
})
const tables = new Tables({
  database,
  mappers: new MapperPool({ entry: entryUrl('engine/mapping/entry') }),
  sandbox: new Sandbox({ memoryMb: 512, entry: entryUrl('engine/sandbox/child') }),
  folder: files,
  maxColumns: settings.columns,
  sandboxTimeoutMs: 60_000,
})
const { signal } = new AbortController()
const input: StageFile = { file: join(files, 'input.parquet'), columns: COLUMNS, rows: ROWS, bytes: 0 }

/** No task of these has an expanding stage. */
const expander = {} as Expander

async function generate(): Promise<string> {
  await database.run(
    sql`COPY (${new Sql([MILLION], [])}) TO ${literal(input.file)} (${parquetFormat(COLUMNS)})`,
  )
  return input.file
}

async function query(text: string): Promise<void> {
  const { plan: checked, diagnostics } = plan(`range 1 1 n || ${text}`, { commands })
  if (!checked) throw new Error(diagnostics[0]!.message)
  const startedAt = new Date()
  const run = new Run({
    id: 'bench',
    plan: checked,
    commands: new Map(commands.map((command: Command) => [command.name, command])),
    tables,
    expander,
    cache: null,
    startedAt,
    constant: constantsOf('bench', startedAt),
    signal,
    observer: UNOBSERVED,
    known: new Map([[0, input]]),
  })
  const { file } = await run.execute()
  await run.discardScratch()
  rmSync(file)
}

/** Under a name of its own, so that nothing which was found out of it before is known. */
async function asNew<T>(work: (table: StageFile) => Promise<T>): Promise<T> {
  const file = tables.newFile()
  linkSync(input.file, file)
  try {
    return await work({ ...input, file })
  } finally {
    rmSync(file)
  }
}

async function perform({ ours }: Task): Promise<void> {
  if ('query' in ours) return query(ours.query)
  if ('csv' in ours)
    return asNew(async table => {
      const { stream } = await exportTable(database, table, 'csv')
      for await (const _ of stream);
    })
  const { offset, sort } = ours.page
  await readPage(database, input, {
    offset,
    limit: PAGE_ROWS,
    wrapped: true,
    ...(sort && { sort: { path: pathOf(sort), descending: false } }),
  })
}

const pathOf = (segments: readonly string[]) => ({ segments, text: segments.join('.') })

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

serve(
  {
    generate,
    time: (task: Task) => timed(() => perform(task)),
    summary: () => timed(() => summarize(database, input)),
    /** In MB; maxRSS is in kB. */
    mostMemory: () => process.resourceUsage().maxRSS / 1024,
  },
  () => tables.close(),
)
