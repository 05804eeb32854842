import { ForageError } from '../../errors.ts'
import type { CommandDeclaration } from '../../language/declaration.ts'
import type { Diagnostic } from '../../language/diagnostics.ts'
import { fromDocument } from '../../language/from-document.ts'
import { type Json, stringifyJson } from '../../language/json.ts'
import type { CommandDocument, Plan } from '../../language/plan.ts'
import { plan } from '../../language/planner.ts'
import type { Knowledge } from '../../language/read-value.ts'
import type { CommandOrigin, QueryRow } from './query-book.ts'

export interface Checked {
  readonly plan: Plan | null
  readonly diagnostics: readonly Diagnostic[]
}

/** A command that was dispatched by itself, as a plan of one stage. */
export function planCommand(
  { document, prev }: CommandOrigin,
  commands: readonly CommandDeclaration[],
  knows: Knowledge = {},
): Checked {
  const { stage, diagnostics } = fromDocument(document, commands, { hasInput: prev !== null, knows })
  return { plan: stage && { query: commandText(document), stages: [stage] }, diagnostics }
}

/** The plan of a query that is in the book. */
export function planOf(
  row: Pick<QueryRow, 'query' | 'plan'>,
  commands: readonly CommandDeclaration[],
): Checked {
  return row.plan === null
    ? plan(row.query, { commands })
    : planCommand(JSON.parse(row.plan) as CommandOrigin, commands)
}

/** A posted command as one would have typed it. */
export function commandText({ command, args, flags }: CommandDocument): string {
  const words = args.map(parts => quoted(parts.join('')))
  const options = Object.entries(flags).map(([flag, value]) => `--${flag} ${flagText(value as Json)}`)
  return [command, ...words, ...options].join(' ')
}

const flagText = (value: Json): string => (typeof value === 'string' ? quoted(value) : stringifyJson(value))

const quoted = (text: string): string =>
  /^[\w.$:/-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`

/** Everything that is wrong with a query, as an answer to whoever sent it. */
export const invalidQuery = (diagnostics: readonly Diagnostic[]): ForageError =>
  new ForageError('query_invalid', diagnostics[0]?.message ?? 'The query is empty.', {
    errors: diagnostics.map(diagnostic => ({ path: '/query', ...diagnostic })),
  })
