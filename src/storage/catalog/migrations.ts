import { cellar } from './migrations/cellar.ts'
import { countedDeliveries } from './migrations/counted-deliveries.ts'
import { deliveries } from './migrations/deliveries.ts'
import { foundation } from './migrations/foundation.ts'
import type { Migration } from './migrations/migration.ts'
import { queries } from './migrations/queries.ts'
import { screenshots } from './migrations/screenshots.ts'
import { secrets } from './migrations/secrets.ts'

/**
 * Every table of the catalog, made in numbered steps: the number of one is its place in this list, from 1. A step that
 * has been released is never edited: a change is a new step.
 */
export const migrations: readonly Migration[] = [
  foundation,
  queries,
  secrets,
  screenshots,
  cellar,
  deliveries,
  countedDeliveries,
]
