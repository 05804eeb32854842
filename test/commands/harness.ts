import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '../../src/commands/command.ts'
import { Run } from '../../src/engine/run.ts'
import type { Warning } from '../../src/engine/run-options.ts'
import type { Tables } from '../../src/engine/tables/tables.ts'
import { parseJson, type Row } from '../../src/language/json.ts'
import { plan } from '../../src/language/planner.ts'
import { Cellar } from '../../src/services/cellar/cellar.ts'
import { TemplateRuns } from '../../src/services/sirp/template-runs.ts'
import { Templates } from '../../src/services/sirp/templates.ts'
import { orderBy } from '../../src/sql/relation.ts'
import { rowsOf } from '../../src/sql/rows.ts'
import { sql } from '../../src/sql/sql.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { openTables } from '../support/tables.ts'

export interface Outcome {
  readonly rows: readonly Row[]
  readonly columns: readonly string[]
  readonly warnings: readonly Warning[]
}

/** Runs queries of source and reduce stages by the engine, over the real tables. */
export class Harness {
  readonly #commands: readonly Command[]
  readonly #folder = mkdtempSync(join(tmpdir(), 'forage-commands-'))
  readonly #catalog = openSqliteCatalog({ path: join(this.#folder, 'catalog.sqlite') })
  #templates = new Templates(this.#catalog, [])
  #tables: Tables | undefined

  constructor(commands: readonly Command[]) {
    this.#commands = commands
  }

  async open(): Promise<void> {
    this.#tables = await openTables(this.#folder)
    this.#templates = new Templates(this.#catalog, this.#commands)
    await this.#templates.create({
      name: 'numbers',
      description: 'For the examples of runTemplate.',
      query: 'range 1 $template.last$ n',
    })
  }

  async close(): Promise<void> {
    await this.#tables?.close()
    await this.#catalog.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** The rows that a query gives, over rows that come before it as if by `seed`. */
  async run(query: string, input?: readonly Row[]): Promise<Outcome> {
    const tables = this.#tables!
    const { signal } = new AbortController()
    const planned = plan(input ? `seed [] || ${query}` : query, { commands: this.#commands })
    if (!planned.plan) throw new Error(planned.diagnostics.map(({ message }) => message).join('\n'))
    const warnings: Warning[] = []
    const run = new Run({
      id: randomUUID(),
      plan: planned.plan,
      commands: new Map(this.#commands.map(command => [command.name, command])),
      tables,
      expander: NO_EXPANDER,
      cache: null,
      startedAt: new Date(),
      constant: () => undefined,
      signal,
      observer: {
        stage: () => undefined,
        warn: warning => void warnings.push(warning),
        journal: async () => undefined,
      },
      cellar: new Cellar(this.#catalog, tables),
      templates: new TemplateRuns(this.#templates, this.#commands, NO_NAMES),
      known: input ? new Map([[0, await tables.ingest(input, signal)]]) : new Map(),
    })
    const table = await run.execute()
    const relation = tables.relation(table)
    const texts = await tables.rows(
      sql`SELECT "row" FROM (${rowsOf(relation)}) ORDER BY ${orderBy(relation)}`,
      signal,
    )
    return {
      rows: texts.map(({ row }) => parseJson(String(row)) as Row),
      columns: table.columns.map(column => column.name),
      warnings,
    }
  }
}

/** Without secrets, prompts and checkpoints. */
const NO_NAMES = { knowledge: async () => ({}), constants: async () => () => undefined }

const refuse = (): never => {
  throw new Error('These tests have no expanding stages.')
}
const NO_EXPANDER = {
  queue: { run: refuse },
  executor: { run: refuse },
  concurrency: 1,
  mostConcurrency: 1,
} as never // only expanding stages look at it
