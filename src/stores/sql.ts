import Type from 'typebox'
import { SqlConnection } from './sql/connection.ts'
import type { Dialect, SqlConfig } from './sql/dialect.ts'
import { mariadb } from './sql/mariadb.ts'
import { postgresql } from './sql/postgresql.ts'
import { rowsOf } from './sql/rows.ts'
import { sqlite } from './sql/sqlite.ts'
import { ID_COLUMN, SqlWriter } from './sql/writer.ts'
import {
  choice,
  type StoreConfig,
  StoreError,
  type StoreType,
  secret,
  storeSchema,
  text,
  tlsFields,
} from './store.ts'

const dialects = { postgresql, mariadb, sqlite } as const
type Engine = keyof typeof dialects

const store: StoreType = {
  type: 'sql',
  title: 'SQL database',
  help: [
    'Rows go into a table of PostgreSQL, MariaDB (or MySQL) or SQLite: a statement with many rows at a time. NAME of `freeze NAME --store …` is the table; without it `table` of the store.',
    'Without `--key` rows are inserted. With `--key COL` a row whose key is there changes it, and any other is inserted: the table needs a primary key or unique index of those columns. `--mode overwrite` fills a table beside it and, when all rows are there, puts them in place of the old ones in one transaction, so nobody sees half of them.',
    'With `create` a missing table is made, with a column for each of the rows’ and a primary key (of `--key`, or of delivery ids), and columns that a table lacks are added. Nested values go into columns as JSON. A SQLite file lies below `FORAGE_FILES`.',
    '`thaw TABLE --store …` reads a table or a view, as it is at that moment, in whatever order the database gives the rows; a filter is a stage after it. Integers keep all their digits, decimal numbers come as text with theirs, times as ISO 8601, JSON as what it says, bytes as base64; the column of delivery ids is left out.',
  ].join('\n\n'),
  guarantee: `Exactly once where the table has a key: with \`--key\`, with \`--mode overwrite\`, and in tables with a unique column for delivery ids (\`idColumn\`; \`${ID_COLUMN}\` in tables that Forage made). Otherwise at least once: a batch whose acknowledgement a crash swallowed is inserted again.`,
  schema: storeSchema(
    {
      engine: choice(['postgresql', 'mariadb', 'sqlite'], 'The database'),
      host: Type.Optional(text('The host of the server; not for sqlite')),
      port: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 65_535, description: 'Its port; by default 5432 or 3306' }),
      ),
      database: Type.Optional(text('The database on the server; not for sqlite')),
      user: Type.Optional(text('Who asks')),
      schema: Type.Optional(text('The schema of the tables; by default where the server looks first')),
      file: Type.Optional(text('sqlite: the file, below FORAGE_FILES')),
      table: Type.Optional(text('The table, where the query names none')),
      create: Type.Optional(
        Type.Boolean({ default: false, description: 'Make tables and columns that are missing' }),
      ),
      idColumn: Type.Optional(text('A unique column of text that takes the delivery ids')),
    },
    { password: Type.Optional(secret('The password')), tls: Type.Optional(tlsFields) },
  ),
  problems: ({ configuration }) => {
    const needed = configuration.engine === 'sqlite' ? ['file'] : ['host', 'database']
    return needed
      .filter(name => configuration[name] === undefined)
      .map(name => ({
        path: `$.config.configuration.${name}`,
        message: `is required with engine ${configuration.engine}`,
      }))
  },
  check: async (config, context, signal) => {
    const { dialect, sql } = read(config)
    const connection = new SqlConnection(dialect, sql, context, signal)
    try {
      const table = config.configuration.table as string | undefined
      const columns = await connection.use(async session => {
        await session.run('SELECT 1')
        return table === undefined ? [] : dialect.columns(session, sql, table)
      })
      if (columns === undefined && config.configuration.create !== true)
        throw new StoreError('no_such_table', `${dialect.title} answers, but there is no table ${table}.`)
    } finally {
      await connection.close()
    }
  },
  open: async (config, target, context) => {
    const { dialect, sql } = read(config)
    const { create = false, idColumn } = config.configuration as { create?: boolean; idColumn?: string }
    const writer = new SqlWriter({
      dialect,
      config: sql,
      connection: new SqlConnection(dialect, sql, context, target.signal),
      target,
      table: tableOf(config, target.name, 'freeze'),
      create,
      idColumn,
    })
    try {
      await writer.prepare()
      return writer
    } catch (error) {
      await writer.close()
      throw error
    }
  },
  read: async (config, name, context, signal) => {
    const { dialect, sql } = read(config)
    const connection = new SqlConnection(dialect, sql, context, signal)
    return { kind: 'rows', rows: rowsOf(connection, tableOf(config, name, 'thaw')) }
  },
}
export default store

function read({ configuration, credentials }: StoreConfig): { dialect: Dialect; sql: SqlConfig } {
  const given = configuration as Partial<SqlConfig> & { engine: Engine }
  const dialect = dialects[given.engine]
  const { password, tls } = credentials as Partial<SqlConfig>
  const { host = '', database = '', user, schema, file, port = dialect.port } = given
  return { dialect, sql: { host, port, database, user, schema, file, password, tls } }
}

function tableOf(
  { configuration }: StoreConfig,
  name: string | undefined,
  command: 'freeze' | 'thaw',
): string {
  const table = name ?? (configuration.table as string | undefined)
  if (table !== undefined) return table
  throw new StoreError(
    'no_target',
    `Neither the query nor the store names a table: write \`${command} TABLE --store …\`, or set \`table\` of the store.`,
  )
}
