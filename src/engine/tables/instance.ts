import { DuckDBInstance } from '@duckdb/node-api'

export type Connection = Awaited<ReturnType<DuckDBInstance['connect']>>

export interface InstanceOptions {
  readonly spill: string
  /** The only folders that statements may read from and write to, besides the spill folder. */
  readonly folders: readonly string[]
  readonly memoryMb: number
  readonly threads?: number | undefined
}

/** One DuckDB instance with the connections in use. Retired, it is closed when the last of them is given back. */
export class Instance {
  readonly #duckdb: DuckDBInstance
  readonly #connections = new Set<Connection>()
  #retired = false
  #closed = false

  private constructor(duckdb: DuckDBInstance) {
    this.#duckdb = duckdb
  }

  static async create(options: InstanceOptions): Promise<Instance> {
    const duckdb = await DuckDBInstance.create(':memory:', {
      memory_limit: `${options.memoryMb}MB`,
      temp_directory: options.spill,
      preserve_insertion_order: 'true',
      // Else the allocator keeps what a large statement took until the next one: 390 MB for a journal of 42, against 240.
      allocator_background_threads: 'true',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      ...(options.threads && { threads: String(options.threads) }),
    })
    await restrict(duckdb, [...options.folders, options.spill])
    return new Instance(duckdb)
  }

  async connect(): Promise<Connection> {
    const connection = await this.#duckdb.connect()
    this.#connections.add(connection)
    return connection
  }

  disconnect(connection: Connection): void {
    if (!this.#connections.delete(connection)) return
    connection.disconnectSync()
    this.#closeWhenIdle()
  }

  retire(): void {
    this.#retired = true
    this.#closeWhenIdle()
  }

  /** For the end: a reader that left its stream half-read keeps its connection no longer. */
  close(): void {
    this.#retired = true
    for (const connection of [...this.#connections]) this.disconnect(connection)
    this.#closeWhenIdle()
  }

  #closeWhenIdle(): void {
    if (!this.#retired || this.#closed || this.#connections.size > 0) return
    this.#closed = true
    this.#duckdb.closeSync()
  }
}

/** No setting can be changed, and no file outside our folders reached, whatever a statement says. */
async function restrict(duckdb: DuckDBInstance, folders: readonly string[]): Promise<void> {
  const list = folders.map(folder => `'${folder.replaceAll("'", "''")}/'`).join(', ')
  const connection = await duckdb.connect()
  await connection.run(`SET allowed_directories = [${list}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
  connection.disconnectSync()
}
