import { placeOf, readPlace } from '../sql/path.ts'
import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { BadJsonPath, parseJsonPath, type Step } from './mappers/jsonpath-parse.ts'
import { columnNamed, read } from './shared/columns.ts'
import { mappedValue } from './shared/mapping.ts'
import { written } from './shared/values.ts'

export default command({
  name: 'jsonpath',
  kind: 'reduce',
  group: 'columns',
  summary: 'Finds values by a JSONPath, into `_jsonpath`',
  help: [
    "The path starts at the value of the column, as `$`: `.name` or `['odd name']`, `[0]`, `[-1]` from the end, `[*]` all items, `..name` at any depth, `[1:3]` a slice, `[0,2]` several, and `[?(@.price > 10 && @.kind == 'x')]` the items for which that is true. Filters compare as expressions do; `[?(@.isbn)]` asks whether there is a value.",
    '',
    'A path that can lead to one value only gives that value; any other gives the array of all that it finds, which may be empty. JSON that is still text has to go through `parseJSON` first.',
  ].join('\n'),
  arguments: [
    { name: 'column', type: 'path', help: 'The column to look into.' },
    { name: 'path', type: 'text', help: 'The JSONPath.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      title: 'One value, missing in the second row',
      input: [{ v: { book: [{ title: 'a' }, { title: 'b' }] } }, { v: { book: [] } }],
      query: 'jsonpath v "$.book[-1].title" || drop v',
      output: [{ _jsonpath: 'b' }, {}],
    },
    {
      title: 'All items for which something is true, numbers in text included',
      input: [{ v: { book: [{ t: 'a', price: '8.95' }, { t: 'b', price: 12 }, { t: 'c' }] } }],
      query: 'jsonpath v "$.book[?(@.price > 8 && @.price < 10)].t" || drop v',
      output: [{ _jsonpath: ['a'] }],
    },
    {
      title: 'At any depth',
      input: [{ a: { b: { id: 1, c: [{ id: 2 }] } } }, { a: { b: 'text' } }],
      query: 'jsonpath a.b "$..id" || drop a',
      output: [{ _jsonpath: [1, 2] }, { _jsonpath: [] }],
    },
    {
      title: 'A name, without looking at the rest',
      input: [{ v: { 'a b': { c: 5 } } }],
      query: `jsonpath v "$['a b'].c" || drop v`,
      output: [{ _jsonpath: 5 }],
    },
  ],
  reduce: ({ input, args, ...tools }) => {
    const target = columnNamed('_jsonpath')
    const names = plainNames(stepsOf(args.path))
    const value = read(input, args.column)
    const place = placeOf(input.columns, args.column)
    if (names && place) {
      const found = readPlace({ column: place.column, below: [...place.below, ...names] })
      return written(input, [{ path: target, value: found }])
    }
    return mappedValue(input, value, target, { mapper: 'jsonpath', path: args.path }, tools)
  },
})

function stepsOf(path: string): Step[] {
  try {
    return parseJsonPath(path)
  } catch (error) {
    if (!(error instanceof BadJsonPath)) throw error
    throw new CommandFailure('bad_jsonpath', `jsonpath cannot read "${path}": ${error.message}.`, {
      hint: "A path looks like $.items[0].name, $..price or $.items[?(@.price > 10)]['odd name'].",
    })
  }
}

/** The names of a path that is nothing but names and places, which SQL reads without a detour through JavaScript. */
function plainNames(steps: readonly Step[]): string[] | undefined {
  const names = steps.map(({ deep, selectors: [only, ...more] }) => {
    if (deep || more.length > 0) return undefined
    if (only?.kind === 'name') return only.name
    return only?.kind === 'index' && only.index >= 0 ? String(only.index) : undefined
  })
  return names.every(name => name !== undefined) ? names : undefined
}
