import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Fault } from '../../fault.ts'
import { renderDiagnostics } from '../../language/render.ts'
import type { CliArgument, CliCall, CliOption } from '../command.ts'
import { InvalidQuery } from './session.ts'

export const queryArgument: CliArgument = {
  name: 'query',
  optional: true,
  meaning: 'the query; without it and --file it is read from standard input',
}

export const fileOption: CliOption = { name: 'file', value: 'path', meaning: 'a file with the query' }

/** The query: the argument, a file, or what comes in by standard input. */
export async function queryText({ arguments: { query }, options: { file } }: CliCall): Promise<string> {
  if (query !== undefined && file !== undefined)
    throw new Fault(
      'usage',
      'there are two queries, one as an argument and one as a file',
      'Leave out one of them.',
    )
  if (query !== undefined) return query
  if (typeof file === 'string') return readQuery(file)
  if (process.stdin.isTTY)
    throw new Fault(
      'usage',
      '<query> is missing',
      "Give it in quotes, with --file, or on standard input: forage query 'range 1 10 n'.",
    )
  return text(process.stdin)
}

async function readQuery(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Fault(
      'usage',
      `the query cannot be read: ${(error as Error).message}`,
      'Check the path of --file.',
      {
        cause: error,
      },
    )
  }
}

/** Runs the work; what is wrong with the query is shown, each mistake with its place, and gives the exit code. */
export async function showingMistakes(query: string, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InvalidQuery)) throw error
    process.stderr.write(`${renderDiagnostics(query, error.diagnostics)}\n`)
    return new Fault('query_invalid', '', '').exitCode
  }
}
