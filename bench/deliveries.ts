import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresKind, startServer } from '../test/stores/database-server.ts'
import { Child } from './child.ts'
import { type Figure, sideBySide } from './figure.ts'
import { GOODS, goods } from './goods.ts'
import { Service } from './service.ts'

const ROUNDS = 3
const BATCH = 1000
const HTTP_BATCH = 100
const FEW = 20_000

/** What is delivered to, and how the bare client does the same. */
interface Target {
  readonly name: string
  readonly type: string
  readonly configuration: object
  readonly bare: () => Promise<number>
}

/** 200,000 rows to each kind of store from a table on the disk, against its client alone with the rows in memory. */
export async function deliveries(): Promise<Figure[]> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.adopt(await mkdtemp(join(tmpdir(), 'forage-bench-')), path =>
    rm(path, { recursive: true, force: true }),
  )
  const sink = parts.adopt(new Child('sink.ts'), child => child.stop())
  const bare = parts.adopt(new Child('bare-clients.ts'), child => child.stop())
  const service = parts.adopt(await Service.start({ FORAGE_FILES: folder }), started => started.stop())
  await service.upload('goods', lines(goods()))
  await service.upload('few', lines(goods(FEW)))
  const targets = await targetsOf(parts, folder, await sink.call('address'), bare)
  for (const { name, type, configuration } of targets)
    await service.post('/v1/secrets/stores', { type, config: { store: { name }, configuration } }, 201)
  await service.mostMemory()
  for (const { name } of targets) await service.query(`thaw few || freeze few --store ${name}`)
  const memory = await service.mostMemory()
  const figures: Figure[] = []
  for (const target of targets) figures.push(await measured(service, target))
  return [
    ...figures,
    {
      name: `the most memory on the way (peer: ours with ${FEW} rows each)`,
      unit: 'MB',
      ours: await service.mostMemory(),
      peer: memory,
      target: { atMost: 1.5 },
    },
  ]
}

async function measured(service: Service, { name, bare }: Target): Promise<Figure> {
  let round = 0
  const deliver = () => service.lastStage(`thaw goods || freeze round${round++} --store ${name}`)
  const took = await sideBySide(ROUNDS, deliver, bare)
  const perSecond = (ms: number): number => (GOODS * 1000) / ms
  return {
    name: `rows to ${name}`,
    unit: 'a second',
    ours: perSecond(took.ours),
    peer: perSecond(took.peer),
    target: { atLeast: 0.6 },
  }
}

async function targetsOf(
  parts: AsyncDisposableStack,
  folder: string,
  sink: string,
  bare: Child,
): Promise<Target[]> {
  const targets: Target[] = [
    {
      name: 'localFile',
      type: 'localFile',
      configuration: { folder: 'out' },
      bare: () => bare.call('file', join(folder, 'bare.ndjson'), BATCH),
    },
    {
      name: 'http',
      type: 'http',
      configuration: { url: sink, batch: HTTP_BATCH },
      bare: () => bare.call('http', sink, HTTP_BATCH),
    },
    {
      name: 'sqlite',
      type: 'sql',
      configuration: { engine: 'sqlite', file: 'ours.db', create: true, batch: BATCH },
      bare: () => bare.call('sqlite', join(folder, 'bare.db'), BATCH),
    },
  ]
  if (!postgresKind.find()) {
    process.stdout.write('  PostgreSQL is not installed here (Debian: postgresql), so it is not measured.\n')
    return targets
  }
  const { port } = parts.adopt(await startServer(postgresKind), server => server.discard())
  const server = { host: '127.0.0.1', port, database: 'postgres', user: 'postgres' }
  return [
    ...targets,
    {
      name: 'postgresql',
      type: 'sql',
      configuration: { engine: 'postgresql', ...server, create: true, batch: BATCH },
      bare: () => bare.call('postgresql', port, BATCH),
    },
  ]
}

const lines = (rows: readonly object[]): string => rows.map(row => `${JSON.stringify(row)}\n`).join('')
