import type { CommandDeclaration, Kind, Parameter } from '../../src/language/declaration.ts'

/** Declarations for the language's own tests: small, but with every kind of parameter that there is. */

type Spec = Omit<Parameter, 'help'> & { readonly help?: string }

function declare(
  kind: Kind,
  name: string,
  args: readonly Spec[],
  flags: readonly Spec[] = [],
  more: Partial<CommandDeclaration> = {},
): CommandDeclaration {
  const helped = (spec: Spec): Parameter => ({ help: `The ${spec.name}.`, ...spec })
  return {
    name,
    kind,
    group: 'rows',
    summary: `Does ${name}`,
    arguments: args.map(helped),
    flags: flags.map(helped),
    examples: [],
    ...more,
  }
}

const columns: Spec = { name: 'columns', type: 'path', repeated: true }
const column: Spec = { name: 'column', type: 'path' }
const headers: Spec = { name: 'headers', type: 'json', secret: true }

const sources = [
  declare('source', 'seed', [{ name: 'rows', type: 'json' }]),
  declare(
    'source',
    'range',
    [
      { name: 'from', type: 'number' },
      { name: 'to', type: 'number' },
      { name: 'column', type: 'column' },
    ],
    [{ name: 'step', type: 'integer', min: 1, default: 1 }],
  ),
  declare('source', 'stage', [{ name: 'label', type: 'stage' }]),
  declare('source', 'commands', []),
  declare(
    'source',
    'runTemplate',
    [{ name: 'name', type: 'text', names: 'template' }],
    [{ name: 'template.*', type: 'text' }],
  ),
]

const reducers = [
  declare('reduce', 'filter', [{ name: 'condition', type: 'expression' }], [], { aliases: ['keep'] }),
  declare(
    'reduce',
    'find',
    [{ name: 'words', type: 'text', repeated: true }],
    [{ name: 'all', type: 'boolean' }],
  ),
  declare('reduce', 'contains', [column, { name: 'text', type: 'text' }]),
  declare('reduce', 'matches', [column, { name: 'pattern', type: 'regex' }]),
  declare(
    'reduce',
    'extract',
    [column, { name: 'pattern', type: 'regex' }],
    [{ name: 'all', type: 'boolean' }],
  ),
  declare('reduce', 'head', [{ name: 'count', type: 'integer', min: 0 }]),
  declare('reduce', 'limit', [
    { name: 'count', type: 'integer', min: 0 },
    { name: 'offset', type: 'integer', min: 0, optional: true },
  ]),
  declare(
    'reduce',
    'sort',
    [columns],
    [{ name: 'order', type: 'choice', choices: ['ascending', 'descending'], repeated: true }],
  ),
  declare('reduce', 'table', [{ ...columns, wildcard: true }]),
  declare('reduce', 'dedup', [{ ...columns, optional: true }], [{ name: 'last', type: 'boolean' }]),
  declare('reduce', 'rename', [
    { name: 'names', type: 'path', repeated: true, multipleOf: 2, wildcard: false },
  ]),
  declare('reduce', 'round', [column, { name: 'digits', type: 'integer', min: 0, max: 15 }]),
  declare(
    'reduce',
    'addcolumn',
    [
      { name: 'name', type: 'column' },
      { name: 'value', type: 'template' },
    ],
    [],
    {
      startsFromEmptyRow: true,
    },
  ),
  declare(
    'reduce',
    'eval',
    [
      { name: 'name', type: 'column' },
      { name: 'value', type: 'expression' },
    ],
    [],
    {
      startsFromEmptyRow: true,
    },
  ),
  declare(
    'reduce',
    'stats',
    [{ name: 'aggregates', type: 'aggregates' }],
    [{ name: 'by', type: 'path', repeated: true }],
  ),
  declare(
    'reduce',
    'join',
    [columns],
    [
      { name: 'stage', type: 'stage' },
      { name: 'type', type: 'choice', choices: ['inner', 'left', 'anti'], default: 'inner' },
    ],
  ),
  declare('reduce', 'append', [{ name: 'label', type: 'stage' }]),
  declare('reduce', 'sql', [{ name: 'select', type: 'sql' }]),
  declare('reduce', 'reverse', []),
  declare(
    'reduce',
    'freeze',
    [{ name: 'name', type: 'text', optional: true }],
    [{ name: 'store', type: 'text', names: 'store' }],
  ),
]

const expanders = [
  declare(
    'expand',
    'open',
    [{ name: 'url', type: 'url', secret: true }],
    [
      { name: 'selector', type: 'css' },
      { name: 'click', type: 'css', repeated: true },
      { name: 'html', type: 'boolean', default: false },
      { name: 'wait', type: 'number', min: 0, max: 60 },
      headers,
    ],
  ),
  declare(
    'expand',
    'evaluate',
    [
      { name: 'url', type: 'url' },
      { name: 'expression', type: 'javascript' },
    ],
    [{ name: 'args', type: 'json' }],
  ),
  declare(
    'expand',
    'graphql',
    [
      { name: 'url', type: 'url' },
      { name: 'query', type: 'graphql' },
    ],
    [{ name: 'variables', type: 'json', pagination: true }],
  ),
  declare(
    'expand',
    'api',
    [
      { name: 'method', type: 'choice', choices: ['get', 'post', 'put', 'delete'] },
      { name: 'url', type: 'url', secret: true },
    ],
    [
      { name: 'data', type: 'json', orText: true, secret: true, pagination: true },
      { name: 'bearer', type: 'text', secret: true },
      { name: 'pagination.url', type: 'url', pagination: true, secret: true },
      { name: 'while', type: 'expression' },
      { name: 'match', type: 'regex' },
      headers,
    ],
  ),
  declare(
    'expand',
    'prompt',
    [{ name: 'text', type: 'text' }],
    [{ name: 'credential', type: 'text', names: 'credential' }],
  ),
]

export const COMMANDS: readonly CommandDeclaration[] = [...sources, ...reducers, ...expanders]
