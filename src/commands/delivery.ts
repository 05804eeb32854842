/** What `freeze --store` asks for. */
export interface DeliveryRequest {
  readonly store: string
  /** The store's own target: a table, a topic, an object. */
  readonly name: string | undefined
  readonly mode: 'append' | 'overwrite'
  readonly format: 'ndjson' | 'json' | 'csv' | 'parquet' | undefined
  /** The most rows at once. */
  readonly batch: number | undefined
  /** The columns whose values tell rows apart. */
  readonly key: readonly string[]
}
