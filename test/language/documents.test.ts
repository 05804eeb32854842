import assert from 'node:assert/strict'
import { describe as suite, test } from 'node:test'
import { complete } from '../../src/language/complete.ts'
import { describe } from '../../src/language/describe.ts'
import { format } from '../../src/language/format.ts'
import { fromDocument } from '../../src/language/from-document.ts'
import { type Json, parseJson, type Row, stringifyJson } from '../../src/language/json.ts'
import { nearest } from '../../src/language/nearest.ts'
import type { CommandDocument, Stage } from '../../src/language/plan.ts'
import { plan } from '../../src/language/planner.ts'
import { renderDiagnostic } from '../../src/language/render.ts'
import { ResolveFailure, resolveValue, type Scope } from '../../src/language/resolve.ts'
import { flagsOf } from '../../src/language/universal.ts'
import type { Value } from '../../src/language/values.ts'
import { COMMANDS } from './commands.ts'
import { withoutPlaces } from './same-plan.ts'

const document = (query: string, addFlags = false) =>
  describe(plan(query, { commands: COMMANDS }), { addFlags })
const commandOf = (query: string): CommandDocument => document(query).stages.at(-1)!.command
const SEED = 'seed [{a: 1}] || '

suite('the plan as a document', () => {
  test('arguments are lists of their parts: text, tokens, dollars', () => {
    assert.deepEqual(commandOf(`${SEED}open https://a.b/$page$?p=\\$5`), {
      command: 'open',
      args: [['https://a.b/', '$page$', '?p=', '\\$', '5']],
      flags: {},
      line: 1,
    })
  })

  test('a stage has its label, kind, place, tokens and the domains that are known', () => {
    const [, stage] = document(
      'seed {a: 1}\n|| api get https://api.example:8080/$a$ --bearer $SECRETS.k$ --labelStage x',
    ).stages
    assert.deepEqual(
      { ...stage, command: undefined },
      {
        index: 1,
        label: 'x',
        kind: 'expand',
        line: 2,
        column: 4,
        tokens: ['$a$', '$SECRETS.k$'],
        domains: ['api.example:8080'],
        estimate: null,
        fromCache: false,
        defaults: {},
        command: undefined,
      },
    )
  })

  test('flags are as they were given; defaults stand apart and only when asked for', () => {
    const query = `${SEED}open https://a.b --wait 2 --html --click "a b" --headers {a: "$a$", b: "\\$"} --table "a b"`
    const expected = {
      wait: 2,
      html: true,
      click: ['a b'],
      headers: { a: '$a$', b: '\\$' },
      table: ['a', 'b'],
    }
    assert.deepEqual(document(query).stages[1]!.command.flags, expected)
    assert.deepEqual(document(query).stages[1]!.defaults, {})
    assert.deepEqual(document(query, true).stages[1]!.defaults, {
      enrich: false,
      onError: 'keep',
      cache: true,
      'checkpoint.pick': 'first',
    })
  })

  test('a wrong query is a document too', () => {
    const { valid, errors, stages } = document('range 1 5 n || frob x --y z')
    assert.equal(valid, false)
    assert.equal(errors.length, 1)
    assert.deepEqual(stages[1]!.command, { command: 'frob', args: [['x']], flags: { y: 'z' }, line: 1 })
    assert.equal(stages[1]!.kind, 'unknown')
  })

  const QUERIES = [
    'open https://a.b/$page$?p=\\$5\\\\$x$ --selector "a[href$=\'.pdf\']" --click "ul li" --click b',
    'extract a "\\$(?<price>[\\d.]+)$" --all --where "a =~ \'^x\\$\' and b > 1"',
    `api post https://a.b --data '{id: $id$, s: "a\\\\$b$ \\$c$", n: 9007199254740993, q: [{t: "$\`x y\`$"}]}'`,
    'api POST https://a.b/$a$ --data "x=$a|url$&y=\\$z$&w=C:\\\\\\\\$a$" --match "^$a$-\\$"',
    'stats "count() as n, avg(price)" --by `a b` --by c.d --take 3',
    'addcolumn x "$a$ costs \\$5"',
    'rename a b "c d" e',
    'sort a b --order "ascending descending" --table *,x.*',
    'find --all "true" "" \'it\\\'s\'',
    'sql ```\nselect $x$ from input\n```',
    'range 9007199254740993 9007199254740994 n',
    'evaluate https://a.b "$(\'x\')" --args [1, "$a$", null]',
    'freeze --checkpoint "last:a.b" --cache false --guid',
  ]

  for (const query of QUERIES)
    test(`a command can be posted as it is: ${query}`, () => {
      const planned = plan(SEED + query, { commands: COMMANDS })
      assert.deepEqual(planned.diagnostics, [])
      // A document is plain JSON, which its type cannot say: flags hold anything.
      const posted = parseJson(
        stringifyJson(commandOf(SEED + query) as unknown as Json),
      ) as unknown as CommandDocument
      const { stage, diagnostics } = fromDocument(posted, COMMANDS, { hasInput: true })
      assert.deepEqual(diagnostics, [])
      assert.deepEqual(essence(stage!), essence(planned.plan!.stages[1]!))
    })

  const essence = ({ declaration, args, flags }: Stage) => ({
    name: declaration.name,
    ...(withoutPlaces({ args, flags }) as object),
  })

  test('a posted command is checked like a stage', () => {
    const post = (command: string, args: string[][], flags: Row = {}, hasInput = true) =>
      fromDocument({ command, args, flags, line: 7 }, COMMANDS, { hasInput }).diagnostics.map(it => [
        it.code,
        it.line,
      ])
    assert.deepEqual(post('hed', []), [['unknown_command', 7]])
    assert.deepEqual(post('head', []), [['missing_argument', 7]])
    assert.deepEqual(post('head', [['ten']], { tkae: 1, take: 'x' }), [
      ['wrong_type', 7],
      ['unknown_flag', 7],
      ['wrong_type', 7],
    ])
    assert.deepEqual(post('head', [['1']], {}, false), [['no_input', 7]])
    assert.deepEqual(post('contains', [['a'], ['$x$']]), [['row_token_refused', 7]])
    assert.deepEqual(post('open', [['https://', '$a$']]), [['token_in_host', 7]])
  })

  test('a posted flag is friendly to people: letter case, one string for a list, text for a number', () => {
    const { stage } = fromDocument(
      { command: 'STATS', args: [['count()']], flags: { BY: 'a, b', take: '3' }, line: 1 },
      COMMANDS,
      { hasInput: true },
    )
    assert.equal((stage!.flags.by as readonly Value[]).length, 2)
    assert.equal((stage!.flags.take as Value).type, 'number')
  })

  test('text posted in JSON can reach no further than its own string', () => {
    const { stage } = fromDocument(
      { command: 'api', args: [['get'], ['https://a.b']], flags: { headers: { a: '$`', b: '`$' } }, line: 1 },
      COMMANDS,
      { hasInput: true },
    )
    const headers = stage!.flags.headers as Value
    assert.deepEqual(headers.type === 'json' && headers.value, {
      kind: 'constant',
      value: { a: '$`', b: '`$' },
    })
  })
})

suite('tokens are filled in', () => {
  const row: Row = {
    a: 'x y/z?',
    n: 1.5,
    big: 9007199254740993n,
    list: [1, 'b'],
    deep: { x: { y: true } },
    'deep.x': 'flat',
    empty: null,
    dots: '..',
    dot: '.',
    url: 'https://c.d/e',
    css: '"],*',
  }
  const scope: Scope = {
    row,
    rowIndex: 3,
    constant: token => (token.kind === 'secret' ? 's&cret' : undefined),
  }

  function resolve(query: string, name: string): unknown {
    const planned = plan(SEED + query, { commands: COMMANDS })
    const stage = planned.plan?.stages.at(-1)
    assert.ok(stage, JSON.stringify(planned.diagnostics))
    const value = (stage.args[name] ?? stage.flags[name]) as Value
    const parameter = [...stage.declaration.arguments, ...flagsOf(stage.declaration)].find(
      it => it.name === name,
    )!
    return resolveValue(value, parameter, scope)
  }
  const text = (word: string) => resolve(`prompt "${word}"`, 'text')
  const url = (word: string) => resolve(`open ${word}`, 'url')

  test('as text: numbers shortest, objects and arrays as JSON, formats on request', () => {
    assert.equal(text('$n$ $big$ $list$ $deep$'), '1.5 9007199254740993 [1,"b"] {"x":{"y":true}}')
    assert.equal(text('$a|url$ $a|json$ $list|text$'), 'x%20y%2Fz%3F "x y/z?" [1,"b"]')
    assert.equal(text('$ROW.INDEX$ \\$a$'), '3 $a$')
    assert.equal(text('$CHECKPOINTS.none$.'), '.')
  })

  test('a column whose own name is the whole path wins over nesting', () => {
    assert.equal(text('$deep.x$ $deep.x.y$ $`deep`.`x`.y$ $list.1$'), 'flat true true b')
  })

  test('a value that the row lacks, or that is null, fails with the name of its column', () => {
    for (const path of ['missing', 'empty', 'deep.z', 'list.7', 'a.length', 'constructor'])
      assert.throws(
        () => text(`$${path}$`),
        (error: unknown) => {
          assert.ok(error instanceof ResolveFailure)
          assert.deepEqual([error.code, error.column], ['missing_value', path])
          return true
        },
      )
    assert.throws(() => text('$template.x$'), { code: 'unknown_value' })
  })

  test('a JSON leaf that is one token keeps the type; other text is text', () => {
    const data = `api post https://a.b --data '{n: $n$, big: "$big$", l: [$list$], t: "n=$n$", j: "$n|text$", k: "\\$n$"}'`
    assert.deepEqual(resolve(data, 'data'), {
      n: 1.5,
      big: 9007199254740993n,
      l: [[1, 'b']],
      t: 'n=1.5',
      j: '1.5',
      k: '$n$',
    })
    assert.deepEqual(resolve('api post https://a.b --headers $deep$', 'headers'), { x: { y: true } })
  })

  test('in a URL a value stays inside its segment or parameter', () => {
    assert.equal(url('https://a.b/$a$/x?q=$a|url$#$n$'), 'https://a.b/x%20y%2Fz%3F/x?q=x%20y%2Fz%3F#1.5')
    assert.equal(url('https://a.b/?k=$SECRETS.k$'), 'https://a.b/?k=s%26cret')
    assert.equal(url('$url$'), 'https://c.d/e')
    assert.throws(() => url('$a$'), { code: 'bad_value', column: 'a' })
    assert.equal(url('https://a.b/../$n$?x=$dots$'), 'https://a.b/../1.5?x=..')
    for (const path of ['$dots$', 'x/$dots$/y', '$dot$$dot$', '%2e$dot$', '../$dots$', '$dot$/x'])
      assert.throws(() => url(`https://a.b/${path}`), { code: 'bad_value' }, path)
  })

  test('in a regular expression a value matches only itself, in a selector likewise', () => {
    assert.equal(resolve('api get https://a.b --match "^$a$\\$"', 'match'), '^x y/z\\?\\$')
    assert.equal(
      resolve('open https://a.b --selector "[x=\\"$css$\\"]"', 'selector'),
      '[x="\\22 \\5d \\2c \\2a "]',
    )
  })

  test('numbers and choices given by a token are checked when they are filled in', () => {
    assert.equal(resolve('open https://a.b --wait $n$', 'wait'), 1.5)
    assert.throws(() => resolve('open https://a.b --wait $a$', 'wait'), { code: 'bad_value', column: 'a' })
    assert.throws(() => resolve('open https://a.b --wait $big$', 'wait'), { code: 'bad_value' })
  })

  test('templates, paths and expressions reach the command as such', () => {
    assert.deepEqual(resolve('round a.b 2', 'column'), { text: 'a.b', segments: ['a', 'b'] })
    assert.ok('parts' in (resolve('addcolumn x "$a$!"', 'value') as object))
    assert.equal((resolve('filter "a > 1"', 'condition') as { kind: string }).kind, 'binary')
  })
})

suite('the formatter', () => {
  const cases: readonly [string, string][] = [
    ['  RANGE 1   5 n||Head 2  ', 'range 1 5 n\n|| head 2'],
    ['range 1 5 n --TAKE=2 || keep "n > 1"', 'range 1 5 n --take 2\n|| filter "n > 1"'],
    [
      '/* all */\nrange 1 5 n /* five */\n/* then */\n|| /* two */\nhead 2',
      '/* all */\nrange 1 5 n /* five */\n/* then */\n|| /* two */ head 2',
    ],
    ['find --all=true a --checkpoint=--x:y', 'find --all true a --checkpoint=--x:y'],
    ['range 1\n 5 /* to\n five */\n n', 'range 1 5 /* to\n five */\n   n'],
    ['head 5 |', 'head 5 |'],
    ['sql ```sql\nselect 1\n``` || head 1', 'sql ```sql\nselect 1\n```\n|| head 1'],
  ]
  for (const [from, to] of cases) test(JSON.stringify(from), () => assert.equal(format(from, COMMANDS), to))
})

suite('completion', () => {
  const functions = [{ name: 'lower', summary: 'In small letters', parameters: [{ name: 'text' }] }]
  const sources = {
    commands: COMMANDS,
    functions,
    aggregates: [{ name: 'avg', summary: 'The mean' }],
    columns: ['price', 'unit price', 'a.b'],
    labels: ['first'],
    values: { store: ['warehouse'] },
  }
  /** The cursor is at the bar. Gives what would be replaced, and by what. */
  function at(marked: string): [string, string[]] {
    const cursor = marked.indexOf('¦')
    const text = marked.replace('¦', '')
    const { from, to, items } = complete(text, cursor, sources)
    return [text.slice(from, to), items.map(item => item.apply)]
  }

  test('commands, where a stage begins', () => {
    assert.deepEqual(at('hea¦'), ['hea', ['head ']])
    assert.deepEqual(at('range 1 5 n || rev¦'), ['rev', ['reverse']])
    assert.deepEqual(at('fil¦ter "a"'), ['filter', ['filter ']])
    assert.equal(at('¦')[1].length, COMMANDS.length)
  })

  test('flags, without those that are there already', () => {
    assert.deepEqual(at('head 2 --ta¦'), ['--ta', ['--table ', '--take ']])
    assert.deepEqual(at('head 2 --take 1 --tak¦')[1], [])
    assert.ok(at('head 2 --¦')[1].includes('--where '))
    assert.ok(at('head 2 ¦')[1].includes('--where '))
  })

  test('values by the type of the parameter', () => {
    assert.deepEqual(at('sort a --order d¦'), ['d', ['descending', 'ascending']])
    assert.deepEqual(at('sort a --order ascending,d¦'), ['d', ['descending', 'ascending']])
    assert.deepEqual(at('sort pri¦'), ['pri', ['price', '`unit price`']])
    assert.deepEqual(at('freeze --store ¦'), ['', ['warehouse']])
    assert.deepEqual(at('append f¦'), ['f', ['first']])
    assert.deepEqual(at('join a --type=l¦')[1], ['left'])
  })

  test('functions and columns inside an expression, quoted or not', () => {
    assert.deepEqual(at('filter "price > 10 || lo¦'), ['lo', ['lower(']])
    assert.deepEqual(at('filter "price > uni¦"'), ['uni', ['`unit price`']])
    assert.deepEqual(at('filter "x > `unit¦'), ['`unit', ['`unit price`']])
    assert.deepEqual(at('stats "av¦'), ['av', ['avg(']])
  })

  test('tokens where a row fills them in', () => {
    assert.deepEqual(at('open https://a.b/$pr¦'), ['$pr', ['$price$']])
    assert.ok(at('open https://a.b/$¦')[1].includes('$`unit price`$'))
    assert.deepEqual(at('contains a $pr¦')[1], [])
  })
})

suite('a rendered diagnostic', () => {
  const render = (query: string) =>
    renderDiagnostic(query, plan(query, { commands: COMMANDS }).diagnostics[0]!)

  test('shows the line and marks the place', () => {
    assert.equal(
      render('range 1 5 n\n||\thed 2'),
      [
        'error at line 2, column 4: There is no command hed.',
        '  2 | || hed 2',
        '    |    ^^^',
        '  hint: Did you mean head?',
      ].join('\n'),
    )
  })

  test('cuts a long line around the place', () => {
    const [, shown, marks] = render(`range 1 5 n || find ${'x'.repeat(300)} || hed 2`).split('\n')
    assert.ok(shown!.length < 120)
    assert.equal(shown!.slice(marks!.indexOf('^'), marks!.lastIndexOf('^') + 1), 'hed')
  })
})

test('the nearest name is near', () => {
  const names = ['filter', 'find', 'head', 'descending', 'groupBy']
  const near: Record<string, string | undefined> = {
    fliter: 'filter',
    FILTR: 'filter',
    hed: 'head',
    desc: 'descending',
    groupby: 'groupBy',
    xyz: undefined,
    frobnicate: undefined,
  }
  for (const [wanted, expected] of Object.entries(near))
    assert.equal(nearest(wanted, names), expected, wanted)
})

test('integers that no double holds stay exact wherever they stand', () => {
  for (let before = 0; before < 40; before++)
    for (const digits of ['999999999999999', '9007199254740993', '90071992547409931', '9'.repeat(40)]) {
      const integer = BigInt(digits)
      const exact = Number.isSafeInteger(Number(digits)) ? Number(digits) : integer
      const padding = 'x'.repeat(before)
      assert.deepEqual(parseJson(`{"a":"${padding}","b":${digits}}`), { a: padding, b: exact })
      assert.deepEqual(parseJson(`["${padding}",-${digits}]`), [padding, -exact])
      assert.deepEqual(parseJson(`${' '.repeat(before)}${digits}`), exact)
      // Digits of a text, and those behind a point, are no integer.
      assert.deepEqual(parseJson(`["${padding}${digits}"]`), [`${padding}${digits}`])
      assert.deepEqual(parseJson(`[${' '.repeat(before)}0.${digits}]`), [Number(`0.${digits}`)])
    }
})
