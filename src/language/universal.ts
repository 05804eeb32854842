import type { CommandDeclaration, Parameter } from './declaration.ts'
import { parsePath } from './paths.ts'
import type { Path } from './values.ts'

/** The flags that every command takes (language.md 7). None depends on the row that a job works on. */
const UNIVERSAL_FLAGS: readonly Parameter[] = [
  {
    name: 'cache',
    type: 'boolean',
    default: true,
    tokens: 'constant',
    affectsRows: false,
    help: 'Use what is cached.',
  },
  {
    name: 'ttl',
    type: 'number',
    min: 0,
    // More than thirty years; a date does not hold just any number of seconds.
    max: 1_000_000_000,
    tokens: 'constant',
    affectsRows: false,
    help: 'How many seconds old a cached result of this stage may be.',
  },
  {
    name: 'labelStage',
    type: 'text',
    tokens: 'none',
    affectsRows: false,
    help: 'Names the stage, so that later ones can refer to it.',
  },
  {
    name: 'where',
    type: 'expression',
    tokens: 'constant',
    help: 'Keeps only the rows of the output for which this is true.',
  },
  {
    name: 'table',
    type: 'path',
    repeated: true,
    wildcard: true,
    tokens: 'constant',
    help: 'Keeps only these columns of the output, in this order.',
  },
  {
    name: 'take',
    type: 'integer',
    min: 0,
    tokens: 'constant',
    help: 'Keeps only this many rows of the output.',
  },
  { name: 'guid', type: 'boolean', tokens: 'constant', help: 'Adds a fresh UUID to each row, as `_guid`.' },
  {
    name: 'checkpoint',
    type: 'text',
    repeated: true,
    tokens: 'none',
    affectsRows: false,
    help: 'Saves a value of the first row when the query completes: `name:path`.',
  },
  {
    name: 'checkpoint.pick',
    type: 'choice',
    choices: ['first', 'last', 'max', 'min'],
    default: 'first',
    tokens: 'none',
    affectsRows: false,
    help: 'Which value a checkpoint saves.',
  },
  {
    name: 'appendStage',
    type: 'stage',
    choices: ['true'],
    tokens: 'none',
    help: 'Adds the rows of an earlier stage below: its label, its index from 0, or true for the one before.',
  },
]

/** Further flags of commands that run once for every row. */
export const EXPAND_FLAGS: readonly Parameter[] = [
  {
    name: 'enrich',
    type: 'boolean',
    default: false,
    tokens: 'constant',
    help: 'Each output row also carries the columns of the row that made it.',
  },
  {
    name: 'timeout',
    type: 'number',
    min: 0,
    tokens: 'constant',
    affectsRows: false,
    help: 'How many seconds a row may take.',
  },
  {
    name: 'retry',
    type: 'integer',
    min: 0,
    tokens: 'constant',
    affectsRows: false,
    help: 'How often a row that failed is tried again.',
  },
  {
    name: 'concurrency',
    type: 'integer',
    min: 1,
    tokens: 'constant',
    affectsRows: false,
    help: 'How many rows are worked on at once.',
  },
  {
    name: 'onError',
    type: 'choice',
    choices: ['keep', 'skip', 'fail'],
    default: 'keep',
    tokens: 'none',
    help: 'What becomes of a row whose job failed: its input with `_error`, nothing, or a failed query.',
  },
]

const ERRORS_FLAG: Parameter = {
  name: 'errors',
  type: 'boolean',
  default: false,
  tokens: 'constant',
  help: 'Also takes the rows that failed, those with `_error`.',
}

/** Commands that leave out failed rows unless they are told otherwise. */
const LEAVE_OUT_ERRORS = new Set(['stats', 'diff', 'freeze', 'webhook'])

const ALL = new WeakMap<CommandDeclaration, readonly Parameter[]>()

/** Every flag of a command: its own first, and these win over the general ones of the same name. */
export function flagsOf(declaration: CommandDeclaration): readonly Parameter[] {
  const known = ALL.get(declaration)
  if (known) return known
  const byName = new Map<string, Parameter>()
  const general = [
    ...(LEAVE_OUT_ERRORS.has(declaration.name) ? [ERRORS_FLAG] : []),
    ...(declaration.kind === 'expand' ? EXPAND_FLAGS : []),
    ...UNIVERSAL_FLAGS,
  ]
  for (const flag of [...(declaration.flags ?? []), ...general]) {
    const key = flag.name.toLowerCase()
    if (!byName.has(key)) byName.set(key, flag)
  }
  const flags = [...byName.values()]
  ALL.set(declaration, flags)
  return flags
}

/** The label of a stage: a name that cannot be taken for an index or for `true`. */
export const isLabel = (text: string): boolean =>
  /^[A-Za-z_][\w-]*$/.test(text) && text.toLowerCase() !== 'true'

/** `name:path`, split at the first colon. */
export function parseCheckpoint(text: string): { readonly name: string; readonly path: Path } | undefined {
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  const path = parsePath(text.slice(colon + 1))
  return 'problem' in path ? undefined : { name: text.slice(0, colon), path }
}
