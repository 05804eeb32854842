import type { Migration } from './migration.ts'

export const countedDeliveries: Migration = {
  name: 'deliveries that were counted',
  statements: ['alter table deliveries add column counted_at text'],
}
