import { Fault } from '../fault.ts'

export const diskFull = (path: string, options?: ErrorOptions) =>
  new Fault(
    'disk_full',
    `no space is left on the disk that holds ${path}`,
    'Free some space, delete queries that are no longer needed, or move FORAGE_DATA to a larger disk. What was acknowledged before is safe.',
    options,
  )
