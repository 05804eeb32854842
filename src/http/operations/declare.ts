import type { ServiceName } from '../../services/service.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Operation {
  /** The name in the interface document; for what we add, our own. */
  readonly name: string
  readonly service: ServiceName
  readonly method: Method
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string
  /** We added it; the interface document does not have it. */
  readonly ours: boolean
}

type Row = readonly [name: string, method: Method, path: string]

/** Operations of one service, out of rows that read like a table. */
export function declare<K extends string>(
  service: ServiceName,
  rows: Readonly<Record<K, Row>>,
  ours = false,
): Readonly<Record<K, Operation>> {
  const operations = Object.entries<Row>(rows).map(([id, [name, method, path]]) => [
    id,
    { name, service, method, path, ours },
  ])
  return Object.fromEntries(operations) as Record<K, Operation>
}
