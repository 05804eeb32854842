import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complete } from '../../src/language/complete.ts'
import { describe } from '../../src/language/describe.ts'
import { format } from '../../src/language/format.ts'
import { fromDocument } from '../../src/language/from-document.ts'
import { stringifyJson } from '../../src/language/json.ts'
import { lex } from '../../src/language/lexer.ts'
import { plan } from '../../src/language/planner.ts'
import { positionsOf } from '../../src/language/positions.ts'
import { Problems } from '../../src/language/problems.ts'
import { renderDiagnostics } from '../../src/language/render.ts'
import { resolveText, resolveUrl, type Scope } from '../../src/language/resolve.ts'
import type { Value } from '../../src/language/values.ts'
import fc from '../support/fast-check.ts'
import { COMMANDS } from './commands.ts'
import { withoutPlaces } from './same-plan.ts'
import { WRONG_QUERIES } from './wrong-queries.ts'

const RUNS = { numRuns: 10_000 }

const RIGHT_QUERIES = [
  'range 1 1000 n || eval sq "n * n" || filter "sq % 7 == 0" || stats "count() as c, max(sq) as m" --by n,`a b`',
  'seed [{a: "x", \'b\': [1, 2.5, {c: null}],}] --labelStage s || append 0 || join a --stage s --type left',
  'open https://shop.example/laptops --selector ".product" || extract innerText "\\$(?<price>[\\d.]+)" --all || sort price',
  'seed [] || api post https://a.b/$id$?q=$a|url$ --data \'{id: $id$, t: "n $n$ \\$"}\' --headers {k: "$SECRETS.k$"} --while "x < 1"',
  "/* c */ range 1 5 n /* d */\n|| /* e */ find --all=true \"a\\tb\" 'it\\'s' ```js\n$x$\n``` --take 2",
  'seed {} || addcolumn `a b`.c "$a$ and \\$b" --where "a is not null" --table "a.* *" --checkpoint "x:a.b"',
  'runTemplate t --template.a 1 --template.b "x y" || rename a b c d || limit 5 10 || dedup || freeze x --cache false',
]

/** Pieces that mean something to the lexer, so that random text gets past the first character. */
const PIECES = [
  '|',
  '||',
  ' ',
  '\n',
  '"',
  "'",
  '`',
  '```',
  '\\',
  '\\$',
  '$',
  '$a$',
  '$ROW$',
  '|url$',
  '--',
  '--a',
  '--take',
  '=',
  '/*',
  '*/',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '.',
  '*',
  '(',
  ')',
  '?',
  '<',
  '0',
  '1',
  '-1',
  '1e999',
  'a',
  'é',
  '\u{1F600}',
  '\uD800',
  '\0',
  'head',
  'filter',
  'seed',
  'open',
  'https://',
  'a.b/',
  'table',
  'count()',
  'and',
  '//',
  '__proto__',
  'true',
  '--by',
  '--labelStage',
  '--all',
  'constructor',
]
const scraps = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map(list => list.join(''))
const anyText = fc.oneof(scraps, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 }))

/** A good query with a few of its characters removed, doubled, swapped or replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom(...RIGHT_QUERIES, ...WRONG_QUERIES),
    fc.array(fc.tuple(fc.nat(), fc.nat(6), fc.constantFrom(...PIECES)), { minLength: 1, maxLength: 5 }),
  )
  .map(([query, edits]) => edits.reduce((text, [at, length, piece]) => edit(text, at, length, piece), query))

function edit(text: string, place: number, length: number, piece: string): string {
  const at = place % (text.length + 1)
  return text.slice(0, at) + piece + text.slice(at + length)
}

const query = fc.oneof(mutated, anyText)

/** Whatever a service or the editor does with a text. */
function exercise(text: string, cursor: number): void {
  for (const syntaxOnly of [false, true]) {
    const planned = plan(text, { commands: COMMANDS, syntaxOnly })
    for (const { code, offset, length, line, column } of planned.diagnostics) {
      const inside = offset >= 0 && length >= 0 && offset + length <= text.length && line > 0 && column > 0
      assert.ok(inside, `${code} at ${offset}+${length} lies outside`)
    }
    renderDiagnostics(text, planned.diagnostics)
    const document = describe(planned, { addFlags: true })
    for (const stage of document.stages) fromDocument(stage.command, COMMANDS)
    if (!syntaxOnly) assert.equal(planned.plan === null, planned.diagnostics.length > 0)
  }
  const { from, to } = complete(text, cursor % (text.length + 1), { commands: COMMANDS, functions: [] })
  assert.ok(from >= 0 && from <= to && to <= text.length)
}

test('the right queries are right', () => {
  for (const text of RIGHT_QUERIES) {
    const { diagnostics } = plan(text, { commands: COMMANDS })
    assert.deepEqual(diagnostics, [], renderDiagnostics(text, diagnostics))
  }
})

test('random text gives diagnostics and nothing is thrown', () => {
  fc.assert(fc.property(anyText, fc.nat(), exercise), RUNS)
})

test('neither does a good query with mistakes put into it', () => {
  fc.assert(fc.property(mutated, fc.nat(), exercise), RUNS)
})

test('every character of a query is in one lexeme, or white space, an =, or complained of', () => {
  fc.assert(
    fc.property(query, text => {
      const problems = new Problems(positionsOf(text))
      let end = 0
      for (const { span } of lex(text, problems)) {
        assert.ok(span.offset >= end, 'lexemes overlap')
        assertGap(text, end, span.offset, problems)
        end = span.offset + span.length
      }
      assertGap(text, end, text.length, problems)
    }),
    RUNS,
  )
})

function assertGap(text: string, from: number, to: number, problems: Problems): void {
  const gap = text.slice(from, to)
  if (/^=?\s*$/.test(gap)) return
  const covered = problems.list.some(it => it.offset <= from && it.offset + it.length > from)
  assert.ok(covered || problems.list.length >= 100, `${JSON.stringify(gap)} got lost`)
}

test('a formatted query is formatted already, and means the same', () => {
  fc.assert(
    fc.property(query, text => {
      const once = format(text, COMMANDS)
      assert.equal(format(once, COMMANDS), once)
      const [before, after] = [text, once].map(it => plan(it, { commands: COMMANDS }))
      assert.deepEqual(withoutPlaces(after!.plan), withoutPlaces(before!.plan))
      assert.deepEqual(
        after!.diagnostics.map(it => it.code),
        before!.diagnostics.map(it => it.code),
      )
    }),
    RUNS,
  )
})

test('a stage comes back from its document as it was', () => {
  fc.assert(
    fc.property(mutated, text => {
      const planned = plan(text, { commands: COMMANDS })
      const { stages } = describe(planned)
      for (const [index, stage] of (planned.plan?.stages ?? []).entries()) {
        const usesStages =
          /--appendStage/i.test(text) || /append|stage/.test(stage.declaration.name) || stage.flags.stage
        if (usesStages) continue
        const { stage: back, diagnostics } = fromDocument(stages[index]!.command, COMMANDS, {
          hasInput: index > 0,
        })
        assert.deepEqual(diagnostics, [])
        const essence = (it: typeof stage) => withoutPlaces({ args: it.args, flags: it.flags })
        assert.deepEqual(essence(back!), essence(stage))
      }
    }),
    RUNS,
  )
})

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('..', '.', '/', '?x=1', '#', '@evil.example', '\\', '"', '$a$'),
  fc.double(),
  fc.boolean(),
)

test('a value cannot change the host, the path or the parameters of a URL that it is filled into', () => {
  const { plan: made } = plan('seed [] || open https://shop.example/a/$x$/b?q=$x$', { commands: COMMANDS })
  const template = (made!.stages[1]!.args.url as Extract<Value, { type: 'text' }>).template
  fc.assert(
    fc.property(value, x => {
      const scope: Scope = { row: { x }, constant: () => undefined }
      if (x === '.' || x === '..') {
        assert.throws(() => resolveUrl(template, scope), { code: 'bad_value' })
        return
      }
      const url = new URL(resolveUrl(template, scope))
      assert.equal(url.host, 'shop.example')
      assert.equal(url.hash, '')
      assert.deepEqual([url.pathname.split('/').length, url.pathname.split('/')[3]], [4, 'b'])
      assert.deepEqual([...url.searchParams.keys()], ['q'])
    }),
    RUNS,
  )
})

test('text in quotes is that text, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('"', "'"), (text, quote) => {
      const escaped = text.replace(/[\\"'$]/g, char =>
        char === '\\' || char === '$' || char === quote ? `\\${char}` : char,
      )
      const { plan: made, diagnostics } = plan(`seed [] || find ${quote}${escaped}${quote}`, {
        commands: COMMANDS,
      })
      assert.deepEqual(diagnostics, [])
      const [word] = made!.stages[1]!.args.words as readonly Extract<Value, { type: 'text' }>[]
      assert.equal(resolveText(word!.template, { constant: () => undefined }), text)
    }),
    RUNS,
  )
})

test('JSON is read as JSON reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), json => {
      const written = JSON.stringify([json])
      const escaped = written.replace(/\$/g, '\\$')
      const { plan: made, diagnostics } = plan(`seed ${escaped}`, { commands: COMMANDS })
      assert.deepEqual(diagnostics, [])
      const rows = made!.stages[0]!.args.rows as Extract<Value, { type: 'json' }>
      assert.ok(rows.value.kind === 'constant')
      assert.equal(stringifyJson(rows.value.value), written)
    }),
    RUNS,
  )
})
