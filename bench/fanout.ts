import { Child } from './child.ts'
import type { Figure } from './figure.ts'
import { sideBySide } from './figure.ts'
import { Service } from './service.ts'

const REQUESTS = 5000
const MANY = 100_000
const CONCURRENCY = 64
const ROUNDS = 60

/** A request for each of 5,000 rows, its rows and its journal on the disk, against a loop around undici. */
export async function fanout(): Promise<Figure[]> {
  const items = new Child('items.ts')
  const bare = new Child('bare-undici.ts')
  const service = await Service.start()
  try {
    const origin = await items.call<string>('address')
    const ask = async (count: number): Promise<number> => {
      const began = performance.now()
      const { rows } = await service.query(
        `range 1 ${count} n || api get ${origin}/item/$n$ --concurrency ${CONCURRENCY} --cache false`,
      )
      if (rows !== count) throw new Error(`${rows} rows of ${count}`)
      return performance.now() - began
    }
    const took = await sideBySide(
      ROUNDS,
      () => ask(REQUESTS),
      () => bare.call('fetchAll', origin, REQUESTS, CONCURRENCY),
    )
    const memory = await service.memory()
    await ask(MANY)
    const perSecond = (ms: number): number => (REQUESTS * 1000) / ms
    return [
      {
        name: `requests, ${CONCURRENCY} at once`,
        unit: 'a second',
        ours: perSecond(took.ours),
        peer: perSecond(took.peer),
        target: { atLeast: 0.6 },
      },
      {
        name: 'memory after 100,000 rows (peer: ours after 5,000)',
        unit: 'MB',
        ours: await service.memory(),
        peer: memory,
        target: { atMost: 1.25 },
      },
    ]
  } finally {
    await service.stop()
    await Promise.all([items.stop(), bare.stop()])
  }
}
