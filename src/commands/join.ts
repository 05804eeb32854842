import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { joined, keyPairs } from './shared/joining.ts'

export default command({
  name: 'join',
  kind: 'reduce',
  group: 'groups',
  summary: 'Adds the columns of another stage or a cellar file to the rows with the same keys',
  help: [
    'The columns named must be equal on both sides; where they have different names, write `--on "here=there"`, once for each. A row that meets several rows of the other side comes once for each. A missing key meets nothing. A number meets the same number in text.',
    '',
    '`--type`: `inner` keeps the rows that meet one (the default), `left` all of this side, `right` all of the other, `full` all of both, `semi` the rows of this side that meet one, without its columns, `anti` those that meet none.',
    '',
    'Rows stay in the order of this side; those of the other side alone follow. A column that both sides have keeps the value of this side, and the other is put under `_right`: `_right.price`.',
  ].join('\n'),
  arguments: [
    {
      name: 'columns',
      type: 'path',
      repeated: true,
      wildcard: false,
      optional: true,
      help: 'The columns that must be equal on both sides.',
    },
  ],
  flags: [
    { name: 'stage', type: 'stage', help: 'The label of the other stage, or its index from 0.' },
    {
      name: 'cellar',
      type: 'text',
      names: 'cellar',
      help: 'The name of a cellar file, in the place of a stage.',
    },
    {
      name: 'type',
      type: 'choice',
      choices: ['inner', 'left', 'right', 'full', 'anti', 'semi'],
      default: 'inner',
      help: 'Which rows to keep.',
    },
    {
      name: 'on',
      type: 'text',
      repeated: true,
      help: 'A pair of columns with different names: `here=there`.',
    },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      query:
        'seed [{id: 1, city: "Oslo"}, {id: 2, city: "Rome"}] --labelStage cities || seed [{id: 2, n: 5}, {id: 1, n: 7}, {id: 9, n: 1}] || join id --stage cities',
      output: [
        { id: 2, n: 5, city: 'Rome' },
        { id: 1, n: 7, city: 'Oslo' },
      ],
    },
    {
      title: 'All rows of this side, other names, a clash, a number in text',
      query:
        'seed [{code: "1", price: 10}] --labelStage old || seed [{id: 1, price: 12}, {id: 2, price: 3}, {price: 8}] || join --on id=code --stage old --type left',
      output: [{ id: 1, price: 12, code: '1', _right: { price: 10 } }, { id: 2, price: 3 }, { price: 8 }],
    },
    {
      title: 'What both sides have to give',
      query:
        'seed [{id: 2, b: true}, {id: 3, b: false}] --labelStage other || seed [{id: 1, a: 1}, {id: 2, a: 2}] || join id --stage other --type full',
      output: [
        { id: 1, a: 1 },
        { id: 2, a: 2, b: true },
        { id: 3, b: false },
      ],
    },
    {
      title: 'Rows that the other stage does not know',
      query: 'seed [{id: 1}] --labelStage seen || range 1 3 id || join id --stage seen --type anti',
      output: [{ id: 2 }, { id: 3 }],
    },
    {
      title: 'With a file in the cellar',
      query:
        'seed [{id: 1, city: "Oslo"}] || freeze joined-cities || range 1 2 id || join id --cellar joined-cities',
      output: [{ id: 1, city: 'Oslo' }],
    },
  ],
  reduce: async ({ input, args, flags, stage, cellar }) => {
    const pairs = keyPairs(args.columns ?? [], flags.on ?? [])
    if ((flags.stage === undefined) === (flags.cellar === undefined)) throw noOtherSide()
    const other = flags.stage === undefined ? await cellar(flags.cellar!) : await stage(flags.stage)
    return joined(input, other, pairs, flags.type)
  },
})

const noOtherSide = () =>
  new CommandFailure('join_stage', 'join does not know what to join with, or has two things to join with.', {
    hint: 'Name an earlier stage (--labelStage there and --stage here: join id --stage cities), or a cellar file (join id --cellar cities).',
  })
