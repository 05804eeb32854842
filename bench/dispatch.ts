import { type Figure, median } from './figure.ts'
import { Service } from './service.ts'

const QUERIES = 200
const AT_ONCE = 100

/** A query of one row over HTTP, from the request to the rows in the answer. */
export async function dispatch(): Promise<Figure[]> {
  const service = await Service.start()
  try {
    // Another name each time: the cache would have the rows of the second one.
    let names = 0
    const fresh = () => service.query(`range 1 1 n${names++}`)
    await repeat(50, fresh)
    const computed = await repeat(QUERIES, fresh)
    const remembered = await repeat(QUERIES, () => service.query('range 1 1 n'))
    const began = performance.now()
    const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, fresh))
    const took = performance.now() - began
    return [
      { name: 'range 1 1 n, median', unit: 'ms', ours: median(computed), target: { atMost: 15 } },
      { name: 'the same from the cache, median', unit: 'ms', ours: median(remembered) },
      { name: `${AT_ONCE} at once, until the last`, unit: 'ms', ours: took },
      {
        name: `${AT_ONCE} at once, without an answer`,
        unit: 'failed',
        ours: outcomes.filter(outcome => outcome.status === 'rejected').length,
        target: { atMost: 0 },
      },
    ]
  } finally {
    await service.stop()
  }
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < count; round++) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return times
}
