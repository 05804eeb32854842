// undici by itself: the same requests, the answers parsed, nothing kept.
import { Pool } from 'undici'
import { serve } from '../child.ts'

/** Kept from one round to the next, as Forage keeps its connections. */
let pool: Pool | undefined

async function fetchAll(origin: string, count: number, concurrency: number): Promise<number> {
  pool ??= new Pool(origin, { connections: concurrency })
  const began = performance.now()
  let next = 1
  const work = async () => {
    while (next <= count) {
      const { body } = await pool!.request({ method: 'GET', path: `/item/${next++}` })
      await body.json()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return performance.now() - began
}

serve({ fetchAll })
