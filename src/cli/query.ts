import { Readable } from 'node:stream'
import type { Static } from 'typebox'
import { exitCodes, Fault } from '../fault.ts'
import { renderDiagnostic } from '../language/render.ts'
import type { QueryRecord } from '../services/sirp/records.ts'
import type { CliCommand } from './command.ts'
import { Interruption } from './query/interruption.ts'
import { openSession, sessionHelp, sessionOptions } from './query/open-session.ts'
import { type Output, outputOf, write } from './query/output.ts'
import { follow } from './query/progress.ts'
import type { Session } from './query/session.ts'
import { renderTable } from './query/table.ts'
import { fileOption, queryArgument, queryText, showingMistakes } from './query/text.ts'

type Query = Static<typeof QueryRecord>

export const query: CliCommand = {
  name: 'query',
  summary: 'Runs a query and prints its result',
  description: `${sessionHelp}\nOn a terminal a line on standard error shows how each stage goes. Ctrl-C cancels the query.`,
  arguments: [queryArgument],
  options: [
    fileOption,
    {
      name: 'format',
      value: 'format',
      meaning: 'table (the default), json, ndjson, csv or parquet; with --output its ending decides',
    },
    { name: 'output', value: 'path', meaning: 'the file to write, in place of standard output' },
    { name: 'limit', value: 'rows', meaning: 'rows of a table, at most 10000; 100 by default' },
    { name: 'width', value: 'cells', meaning: 'width of a table; by default that of the terminal' },
    { name: 'verbose', meaning: 'a line for each stage also where standard error is no terminal' },
    ...sessionOptions,
  ],
  examples: [
    { line: `forage query 'range 1 10 n || eval sq "n * n"'`, meaning: 'a table' },
    { line: 'forage query --file prices.fq --output prices.csv', meaning: 'a query of a file, into a file' },
    { line: `echo 'range 1 10 n' | forage query --format ndjson | jq .n`, meaning: 'in a pipe' },
    {
      line: `forage query --server https://forage.example.com --key $KEY 'range 1 10 n'`,
      meaning: 'on another machine',
    },
  ],
  async run(call) {
    const output = outputOf(call)
    const text = await queryText(call)
    return showingMistakes(text, async () => {
      using interruption = new Interruption()
      await using session = await openSession(call)
      interruption.signal.throwIfAborted()
      const id = await session.dispatch(text)
      interruption.onInterrupt(() => session.cancel(id))
      const record = await follow(
        session,
        id,
        session.ended(id),
        process.stderr,
        call.options.verbose === true,
      )
      if (record.status !== 'completed') return failed(text, record)
      note(record)
      await write(await result(session, id, output, interruption.signal), output.file, interruption.signal)
      return 0
    })
  },
}

async function result(session: Session, id: string, output: Output, signal: AbortSignal): Promise<Readable> {
  if (output.format !== 'table') return session.export(id, output.format, signal)
  return Readable.from([`${renderTable(await session.rows(id, output.limit), output.width)}\n`])
}

/** What somebody who sees only the rows would miss. */
function note({ warnings, failedRows }: Query): void {
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`)
  if (failedRows > 0)
    process.stderr.write(`${failedRows.toLocaleString('en')} rows failed; the column _error says why\n`)
}

function failed(text: string, { status, error, warnings }: Query): number {
  if (status === 'cancelled') {
    process.stderr.write('cancelled\n')
    return exitCodes.cancelled.exit
  }
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`)
  if (error === null) throw new Fault('query_failed', `the query is ${status}`, 'Run it again.')
  const { code, message, line, column, hint, sample } = error
  process.stderr.write(
    line == null || column == null
      ? `error: ${message}\n${hint == null ? '' : `  hint: ${hint}\n`}`
      : `${renderDiagnostic(text, { code, message, line, column, offset: 0, length: 1, ...(hint && { hint }) })}\n`,
  )
  if (sample != null) process.stderr.write(`  for instance: ${JSON.stringify(sample)}\n`)
  return exitCodes.query_failed.exit
}
