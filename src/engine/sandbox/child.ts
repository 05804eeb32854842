import { DuckDBInstance } from '@duckdb/node-api'
import { CommandFailure } from '../../commands/failure.ts'
import { engineMessage, TableError } from '../tables/errors.ts'
import type { SandboxAnswer, SandboxRequest } from './protocol.ts'
import { runSelect } from './select.ts'

/**
 * The process in which one user's SELECT runs, and then ends. It is started ahead of time and waits with everything
 * loaded. Its memory ceiling is the operating system's (`ulimit -d`): DuckDB's own does not hold scalar functions.
 */
const instance = await DuckDBInstance.create(':memory:', {
  memory_limit: `${Number(process.argv[2])}MB`,
  threads: '2',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
})
const connection = await instance.connect()

process.once('message', async (request: SandboxRequest) => {
  const answer = await run(request)
  process.send?.(answer)
})
// Without its parent nobody would stop it; `process.exit` would wait for the statement.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))

async function run(request: SandboxRequest): Promise<SandboxAnswer> {
  try {
    return { ok: true, ...(await runSelect(connection, request)) }
  } catch (error) {
    const failure = error instanceof CommandFailure ? error : explain(error, request)
    return { ok: false, code: failure.code, message: failure.message, hint: failure.hint }
  }
}

/** DuckDB's own words, which are good, without our files' names. */
function explain(error: unknown, request: SandboxRequest): TableError {
  let message = engineMessage(error)
  if (/^Out of Memory Error|bad_alloc|Allocation failure/i.test(message)) return outOfMemory()
  for (const table of request.tables) message = message.replaceAll(table.file, table.name)
  for (const file of [request.out, request.draft, request.spill])
    message = message.replaceAll(file, 'the result')
  return new TableError('sql_failed', message)
}

const outOfMemory = (): TableError =>
  new TableError(
    'sql_memory',
    'The SQL needs more memory than it may use.',
    'Filter first, ask for less at once, or use the commands, which work on disk where they can.',
  )
