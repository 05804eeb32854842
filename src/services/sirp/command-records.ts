import { join } from 'node:path'
import type { Static } from 'typebox'
import { readRecords } from '../../engine/tables/records.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import type { StageRow } from './query-book.ts'
import type { CommandRecord } from './records.ts'

type CommandRun = Static<typeof CommandRecord>
/** As it is written in a journal. */
type JobRun = Omit<CommandRun, 'id' | 'command' | 'stage' | 'fromCache' | 'error'> &
  Partial<Pick<CommandRun, 'error'>>

export interface CommandPage {
  readonly offset: number
  readonly limit: number
  /** Only those in this state. */
  readonly status?: CommandRun['status'] | undefined
}

export interface CommandRecords {
  readonly items: CommandRun[]
  readonly total: number
}

/** A page over the records of several stages: the jobs of expanding ones, one record of every other. */
export async function readCommands(
  tables: Tables,
  id: string,
  stages: readonly StageRow[],
  single: (index: number) => CommandRun,
  page: CommandPage,
): Promise<CommandRecords> {
  const items: CommandRun[] = []
  let total = 0
  for (const stage of stages) {
    const offset = Math.max(0, page.offset - total)
    const limit = Math.max(0, page.limit - items.length)
    const read =
      stage.journal === null
        ? cut([single(stage.idx)].filter(isWanted(page)), offset, limit)
        : await readJobs(tables, id, stage, { offset, limit, status: page.status })
    items.push(...read.items)
    total += read.total
  }
  return { items, total }
}

const isWanted =
  ({ status }: CommandPage) =>
  (record: CommandRun): boolean =>
    status === undefined || record.status === status

const cut = (items: CommandRun[], offset: number, limit: number): CommandRecords => ({
  items: items.slice(offset, offset + limit),
  total: items.length,
})

async function readJobs(
  tables: Tables,
  id: string,
  { idx: stage, command, journal }: StageRow,
  page: CommandPage,
): Promise<CommandRecords> {
  const { json, total } = await readRecords(tables.database, join(tables.folder, journal!), page)
  const records = JSON.parse(json) as JobRun[]
  const whole = (record: JobRun): CommandRun => ({
    id: `${id}.${stage}.${record.row}`,
    command,
    fromCache: false,
    error: null,
    ...record,
    stage,
  })
  return { items: records.map(whole), total }
}
