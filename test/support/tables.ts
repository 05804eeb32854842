import { MapperPool } from '../../src/engine/mapping/pool.ts'
import { Sandbox } from '../../src/engine/sandbox/sandbox.ts'
import { Database } from '../../src/engine/tables/database.ts'
import { Tables } from '../../src/engine/tables/tables.ts'

/** The real tables, with all that they lie on in one folder. */
export async function openTables(folder: string): Promise<Tables> {
  return new Tables({
    database: await Database.open({ temporary: folder, folders: [folder], memoryMb: 1024 }),
    mappers: new MapperPool({ size: 1 }),
    sandbox: new Sandbox({ memoryMb: 512 }),
    folder,
    maxColumns: 2000,
    sandboxTimeoutMs: 30_000,
  })
}
