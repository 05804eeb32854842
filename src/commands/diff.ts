import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { changes, failedRows, repeatedKeys } from './shared/comparing.ts'
import { withoutErrors } from './shared/errors.ts'

export default command({
  name: 'diff',
  kind: 'reduce',
  group: 'groups',
  summary: 'Compares the rows with those of the last run that completed',
  help: [
    'What is compared with is kept under a name of its own kind, the baseline; the first time there is none, and every row is `added`. Rows are told apart by `--key`; without it by all that is in them. A key that comes twice fails the query. Columns that begin with `_`, and those of `--ignore`, do not count.',
    '`_diff.kind` is `added`, `changed`, `removed` or `unchanged`; `_diff.before` holds the old values of the columns that changed. Added and changed rows are given; `--removed` gives those that are gone as well, after the others, and `--all` gives everything. `_diff.id` is the same for the same change against the same baseline: a receiver that must not take a change twice looks at it.',
    'The baseline moves only when the whole query completes and no row before this stage failed. Until then the next run finds the same differences again, so that what was not delivered today is delivered tomorrow.',
  ].join('\n\n'),
  arguments: [{ name: 'name', type: 'text', tokens: 'constant', help: 'The name of the baseline.' }],
  flags: [
    {
      name: 'key',
      type: 'path',
      repeated: true,
      wildcard: false,
      help: 'The columns by which a row is known again. Without any, the whole row.',
    },
    {
      name: 'ignore',
      type: 'path',
      repeated: true,
      wildcard: false,
      help: 'Columns, or parts of them, whose changes do not count.',
    },
    { name: 'removed', type: 'boolean', default: false, help: 'Also give the rows that are gone.' },
    {
      name: 'all',
      type: 'boolean',
      default: false,
      help: 'Give the unchanged rows and those that are gone, too.',
    },
    {
      name: 'errors',
      type: 'boolean',
      default: false,
      help: 'Also take the rows that failed (those with `_error`).',
    },
  ],
  volatile: true,
  examples: [
    {
      title: 'The first time everything is new',
      input: [
        { sku: 'a', price: 5 },
        { sku: 'b', price: 7 },
      ],
      query: 'diff example-prices --key sku || drop _diff.id',
      output: [
        { sku: 'a', price: 5, _diff: { kind: 'added' } },
        { sku: 'b', price: 7, _diff: { kind: 'added' } },
      ],
    },
    {
      title: 'Only what counts',
      input: [{ sku: 'a', seen: 'now' }],
      query: 'diff example-seen --ignore seen --all || table sku _diff.kind',
      output: [{ sku: 'a', _diff: { kind: 'added' } }],
    },
  ],
  reduce: async ({
    input,
    args,
    flags,
    materialize,
    baseline,
    prepareBaseline,
    probe,
    warn,
    hasFailedRows,
  }) => {
    const table = await materialize(input)
    const hasFailures = hasFailedRows() || (await failedRows(table, probe))
    const current = await materialize(flags.errors ? table : withoutErrors(table))
    const options = { key: flags.key ?? [], ignore: flags.ignore ?? [], name: args.name }
    const [repeated] = await repeatedKeys(current, options, probe)
    if (repeated) throw keyTwice(repeated.key, flags.key !== undefined)
    const before = await baseline(args.name)
    if (hasFailures)
      warn(
        'diff_baseline',
        `Rows failed, so the baseline ${args.name} stays as it is: the next run finds these differences again.`,
      )
    else await prepareBaseline(args.name, current)
    const shown = { removed: flags.removed || flags.all, unchanged: flags.all }
    return changes(current, before, options, shown)
  },
})

const keyTwice = (key: string, isGiven: boolean): CommandFailure =>
  new CommandFailure(
    'diff_key',
    isGiven
      ? `diff cannot tell rows apart: the key ${key} comes more than once.`
      : 'diff cannot tell rows apart: a row comes more than once.',
    {
      hint: isGiven
        ? 'Name more columns in --key, or put dedup before it.'
        : 'Put dedup before it, or name a --key.',
    },
  )
