import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CommandFailure } from '../../src/commands/failure.ts'
import { commands } from '../../src/commands/index.ts'
import { MalformedCsv, parseCsv } from '../../src/commands/mappers/csv.ts'
import { select } from '../../src/commands/mappers/jsonpath.ts'
import { BadJsonPath, parseJsonPath } from '../../src/commands/mappers/jsonpath-parse.ts'
import { NoAddress, parseUrl } from '../../src/commands/mappers/url.ts'
import { MalformedXml, parseXml } from '../../src/commands/mappers/xml.ts'
import type { Json, Row } from '../../src/language/json.ts'
import fc from '../support/fast-check.ts'
import { Harness } from './harness.ts'

const harness = new Harness(commands)
before(() => harness.open())
after(() => harness.close())

const CASES = { numRuns: 10_000 }
/** Rows go through the engine a thousand at a time: ten runs are ten thousand cases. */
const RUNS = { numRuns: 10, endOnFailure: true }
const ROWS = { minLength: 1000, maxLength: 1000 }

/** Runs a parser; anything it throws but its own failure is thrown on. */
function survives(parse: () => unknown, ...failures: (new (...args: never[]) => Error)[]): void {
  try {
    parse()
  } catch (error) {
    if (!failures.some(failure => error instanceof failure)) throw error
  }
}

/** Text made of the pieces that mean something, and of anything else. */
const pieces = (...list: readonly string[]) =>
  fc
    .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...list) }, fc.string({ maxLength: 3 })), {
      maxLength: 25,
    })
    .map(parts => parts.join(''))

const XML_PIECES = [
  '<',
  '>',
  '/',
  '<a>',
  '</a>',
  '<b c="d">',
  '</b>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '&lt;',
  '&#x41;',
  '&',
  ';',
  '<?x',
  '?>',
  '"',
  '=',
  ' ',
  '\n',
  '<!DOCTYPE',
  '\0',
]

test('XML: no text makes the parser throw anything but its own failure', () => {
  fc.assert(
    fc.property(pieces(...XML_PIECES), text => survives(() => parseXml(text), MalformedXml)),
    CASES,
  )
})

interface Element {
  readonly name: string
  readonly attributes: readonly (readonly [string, string])[]
  readonly children: readonly Element[]
  readonly text: string
}

const xmlText = fc
  .string({ unit: 'grapheme', maxLength: 8 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them
  .map(text => text.replace(/[\0-\x1f\ufffe\uffff]/g, ''))

const { element } = fc.letrec<{ element: Element }>(tie => ({
  element: fc.record({
    name: fc.constantFrom('a', 'b', 's:key', 'é', '__proto__'),
    attributes: fc.uniqueArray(fc.tuple(fc.constantFrom('id', 'x:y', 'href'), xmlText), {
      selector: ([name]) => name,
    }),
    children: fc.oneof({ depthSize: 'small' }, fc.constant([]), fc.array(tie('element'), { maxLength: 3 })),
    text: xmlText,
  }),
}))

const escaped = (text: string) => text.replace(/[<&>"]/g, found => `&#${found.charCodeAt(0)};`)

const writeXml = ({ name, attributes, children, text }: Element): string =>
  `<${name}${attributes.map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')}>${escaped(text)}${children.map(writeXml).join('<!-- -->')}</${name}>`

/** The rules of language.md 6, said once more. */
function expectedOf({ attributes, children, text }: Element): Json {
  if (attributes.length === 0 && children.length === 0) return text
  const shown = children.length > 0 ? text.trim() : text
  const names = [...new Set(children.map(child => child.name))]
  return Object.fromEntries<Json>([
    ...attributes,
    ...names.map((name): [string, Json] => [
      name,
      children.filter(child => child.name === name).map(expectedOf),
    ]),
    ...(shown.trim() === '' ? [] : [['textContent', shown] as const]),
  ])
}

test('XML: every document becomes what the rules say', () => {
  fc.assert(
    fc.property(element, root => {
      assert.deepEqual(parseXml(writeXml(root)), Object.fromEntries([[root.name, expectedOf(root)]]))
    }),
    { numRuns: 2000 },
  )
})

const PATH_PIECES = [
  '$',
  '.',
  '..',
  '[',
  ']',
  '*',
  '?',
  '(',
  ')',
  '@',
  "'a'",
  'a',
  '0',
  '-1',
  ':',
  ',',
  '>',
  '==',
  '&&',
  '||',
  '!',
  ' ',
  '"',
  '1.5',
  'null',
  '$.a',
  '[?(@.a',
]

test('JSONPath: no text makes it throw anything but its own failures, and what it reads it can follow', () => {
  fc.assert(
    fc.property(pieces(...PATH_PIECES), fc.jsonValue({ maxDepth: 3 }), (text, value) =>
      survives(() => select(value as Json, parseJsonPath(`$${text}`)), BadJsonPath, CommandFailure),
    ),
    CASES,
  )
})

test('CSV: records that were written come back, and no text makes it throw anything but its own failure', () => {
  const field = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('"', ',', '\n', '\r\n', ''))
  const record = fc.array(field, { minLength: 1, maxLength: 4 })
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  fc.assert(
    fc.property(fc.array(record, { maxLength: 4 }), records => {
      const text = records.map(fields => fields.map(quote).join(',')).join('\r\n')
      assert.deepEqual(parseCsv(text, ','), records)
    }),
    CASES,
  )
  fc.assert(
    fc.property(pieces('"', ',', '\n', '\r', 'a', '""'), text =>
      survives(() => parseCsv(text, ','), MalformedCsv),
    ),
    CASES,
  )
})

test('addresses: no text makes it throw anything but its own failure', () => {
  fc.assert(
    fc.property(
      pieces('https:', '//', 'a.example', ':', '80', '/', '?', '#', '%', '&', '=', '@', '[', ']'),
      text => survives(() => parseUrl(text), NoAddress),
    ),
    CASES,
  )
})

const scalar = fc.oneof(
  fc.integer(),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc.boolean(),
  fc.constant(null),
)

const SPARSE = { requiredKeys: [] as [], noNullPrototype: true }

/** What stands at a place is always an object, always a list or a single value, as it is in data of one kind. */
function documentOf(depth: number): fc.Arbitrary<Row> {
  if (depth === 0) return fc.record({ s: scalar, 't u': scalar }, SPARSE) as fc.Arbitrary<Row>
  const inner = documentOf(depth - 1)
  const list = fc.array(fc.oneof(scalar, inner), { maxLength: 2 })
  return fc.record({ s: scalar, 't u': scalar, o: inner, l: list }, SPARSE) as fc.Arbitrary<Row>
}

/** Null and missing are the same: what holds nothing else is gone, and lists end at their last item. */
function tidy(value: Json | undefined): Json | undefined {
  if (value === null || typeof value !== 'object') return value ?? undefined
  if (Array.isArray(value)) {
    if (value.length === 0) return value
    const items = value.map(item => tidy(item) ?? null)
    const last = items.findLastIndex(item => item !== null)
    return last < 0 ? undefined : items.slice(0, last + 1)
  }
  const members = Object.entries(value)
  if (members.length === 0) return value
  const kept = members.flatMap(([key, item]): [string, Json][] => {
    const left = tidy(item)
    return left === undefined ? [] : [[key, left]]
  })
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

test('flatten and unflatten: there and back is where it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(documentOf(2), ROWS), async documents => {
      const { rows } = await harness.run('flatten || unflatten', documents)
      assert.deepEqual(
        rows,
        documents.map(row => tidy(row) ?? {}),
      )
    }),
    RUNS,
  )
})

/** What normalize must give for one row, said in JavaScript. */
function normalizedRow({ v, ...others }: Row): Row[] {
  const value = v ?? null
  const items = Array.isArray(value) ? value : [value]
  return (items.length === 0 ? [null] : items).map(item => {
    const isObject = item !== null && typeof item === 'object' && !Array.isArray(item)
    const own = isObject ? (item as Row) : { v: item }
    const present = Object.entries(own).filter(([, part]) => part !== null)
    return { ...others, ...Object.fromEntries(present) }
  })
}

test('normalize gives the rows that JavaScript would', async () => {
  const item = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('id', 'a', 'A', 'v', '', 'x.y'), scalar, { maxKeys: 4 }),
  )
  const row = fc.record(
    { id: fc.nat(), v: fc.oneof(item, fc.array(item, { maxLength: 4 })) },
    { requiredKeys: ['id'] },
  ) as fc.Arbitrary<Row>
  await fc.assert(
    fc.asyncProperty(fc.array(row, ROWS), async input => {
      const { rows } = await harness.run('normalize v', input)
      assert.deepEqual(rows, input.flatMap(normalizedRow))
    }),
    RUNS,
  )
})
