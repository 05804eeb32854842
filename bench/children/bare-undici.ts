// undici by itself: the same requests, the answers parsed, nothing kept.
import { Pool } from 'undici'
import { serve } from '../child.ts'

async function fetchAll(origin: string, count: number, concurrency: number): Promise<number> {
  const pool = new Pool(origin, { connections: concurrency })
  const began = performance.now()
  let next = 1
  const work = async () => {
    while (next <= count) {
      const { body } = await pool.request({ method: 'GET', path: `/item/${next++}` })
      await body.json()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const took = performance.now() - began
  await pool.close()
  return took
}

serve({ fetchAll })
