import type { Mappers } from '../../src/commands/mapper.ts'
import { serveMappers } from '../../src/engine/mapping/worker.ts'

/** Mappers that are of use only to the tests of the mapping itself. */
const mappers: Mappers = {
  identity: async () => () => row => row,
  double: async () => options => row => [
    { ...row, copy: 0 },
    { ...row, copy: 1, options },
  ],
  odd: async () => () => row => (Number(row.n) % 2 === 1 ? row : []),
  /** A name that only some batches have, so that threads meet columns in different orders. */
  wandering: async () => () => row => ({
    [`k${Math.floor(Number(row.n) / 700)}`]: row.n ?? null,
    n: row.n ?? null,
    m: Number(row.n) % 5000 === 4999 ? 'x' : 1,
  }),
  failing: async () => () => row => {
    if (row.n === 5000) throw new Error('row 5000 is not for me')
    return row
  },
  endless: async () => () => () => {
    for (;;);
  },
}

serveMappers(mappers)
