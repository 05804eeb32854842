import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Stage } from '../../src/language/plan.ts'
import { plan } from '../../src/language/planner.ts'
import { renderDiagnostics } from '../../src/language/render.ts'
import type { Template, Value } from '../../src/language/values.ts'
import { COMMANDS } from './commands.ts'

const SEED = 'seed [{a: 1}] || '

function stagesOf(query: string): readonly Stage[] {
  const planned = plan(query, { commands: COMMANDS })
  assert.deepEqual(planned.diagnostics, [], renderDiagnostics(query, planned.diagnostics))
  return planned.plan!.stages
}

const lastStage = (query: string): Stage => stagesOf(SEED + query).at(-1)!

/** Values as a reader of the test wants to see them: text with its tokens, paths by their segments. */
function plain(value: Value | readonly Value[] | undefined): unknown {
  if (value === undefined) return undefined
  if (isList(value)) return value.map(plain)
  switch (value.type) {
    case 'number':
    case 'boolean':
      return value.value
    case 'path':
      return value.path.wildcard ? [...value.path.segments, '*'] : value.path.segments
    case 'json':
      return value.value.kind === 'constant' ? value.value.value : value.value
    case 'text':
    case 'regex':
    case 'deferred':
      return written(value.template)
    default:
      return value.type
  }
}

const isList = (value: Value | readonly Value[]): value is readonly Value[] => Array.isArray(value)

const written = ({ parts }: Template): unknown => {
  const shown = parts.map(part =>
    typeof part === 'string' ? part : { [part.kind]: part.path.segments.join('/') },
  )
  return shown.length === 0 ? '' : shown.length === 1 ? shown[0] : shown
}

const args = (query: string) =>
  Object.fromEntries(Object.entries(lastStage(query).args).map(([name, value]) => [name, plain(value)]))
const flags = (query: string) =>
  Object.fromEntries(Object.entries(lastStage(query).flags).map(([name, value]) => [name, plain(value)]))
const text = (word: string) => args(`contains a ${word}`).text
const regex = (word: string) => args(`matches a ${word}`).pattern
const codes = (query: string) => plan(query, { commands: COMMANDS }).diagnostics.map(it => it.code)

describe('words', () => {
  test('stages are joined by || with or without white space, over any number of lines', () => {
    const names = stagesOf('range 1 5 n||head 2\n||\treverse').map(stage => stage.declaration.name)
    assert.deepEqual(names, ['range', 'head', 'reverse'])
  })

  test('a stage knows its place', () => {
    const [, second] = stagesOf('range 1 5 n\n  || head 2 /* two */')
    assert.deepEqual([second?.line, second?.column, second?.span], [2, 6, { offset: 17, length: 6 }])
  })

  test('comments stand where a word could begin', () => {
    assert.deepEqual(args('/* a */ contains /* || " */ a /* c */ b'), { column: ['a'], text: 'b' })
    assert.equal(text('a/*b*/'), 'a/*b*/')
    assert.equal(text('"/* no */"'), '/* no */')
  })

  test('a bare word goes on through quotes and anything that is not white space or ||', () => {
    assert.equal(text('it\'s"so"'), 'it\'s"so"')
    assert.equal(text('-5'), '-5')
    assert.equal(text('--'), '--')
    assert.equal(text('-x'), '-x')
    assert.equal(text('a=b'), 'a=b')
  })

  test('white space and || do not end a bare word inside back-ticks or a token', () => {
    assert.deepEqual(args('table `a b`.x `c||d` `e|f`').columns, [['a b', 'x'], ['c||d'], ['e|f']])
    assert.deepEqual(args('open $`a || b`$').url, { row: 'a || b' })
    assert.deepEqual(args('open https://a.b/$x|url$').url, ['https://a.b/', { row: 'x' }])
  })

  test('quotes hold white space, pipes and the other quote', () => {
    assert.equal(text(`"a || 'b' | c"`), "a || 'b' | c")
    assert.equal(text(`'a "b" c'`), 'a "b" c')
    assert.equal(text('""'), '')
  })

  test('after a closing quote || may follow directly', () => {
    assert.equal(stagesOf('seed []||find "a"||head 1').length, 3)
  })

  test('a fence takes everything as it stands, after an optional tag', () => {
    assert.equal(text('```a "b" \\n $c$ || d```'), 'a "b" \\n $c$ || d')
    assert.equal(text('```txt\nline\n```'), 'line\n')
    assert.equal(text('```\r\nline```'), 'line')
    assert.equal(text('```two words\nhere```'), 'two words\nhere')
  })

  test('unquoted JSON runs to its matching bracket', () => {
    const rows =
      args('join a --where "true"') &&
      plain(stagesOf(`seed [{a: "]} || x", 'b': {c: [1 /* ] */]}}]`)[0]!.args.rows)
    assert.deepEqual(rows, [{ a: ']} || x', b: { c: [1] } }])
  })

  test('a bracket that is not JSON is a bare word', () => {
    assert.equal(regex('[a-z]+'), '[a-z]+')
    assert.equal(regex('[^,]+'), '[^,]+')
  })
})

describe('escapes follow the type of the argument', () => {
  test('text undoes the usual ones and leaves the rest', () => {
    assert.equal(text('"a\\nb\\tc\\rd\\\\e\\u0041\\"f\\$g\\qh\\u00"'), 'a\nb\tc\rd\\eA"f$g\\qh\\u00')
    assert.equal(text("'it\\'s \\\" so'"), 'it\'s \\" so')
    assert.equal(text('a\\tb'), 'a\tb')
  })

  test('a regular expression keeps all but its quote', () => {
    assert.equal(regex('"\\$(?<price>[\\d.]+)"'), '\\$(?<price>[\\d.]+)')
    assert.equal(regex('"a\\"b\\\\c\\n"'), 'a"b\\\\c\\n')
    assert.equal(regex('^a$|^b$'.replace('|', '')), '^a$^b$')
  })

  test('JSON, SQL, JavaScript and CSS undo their quote and \\$', () => {
    assert.equal(args('sql "select \\"a\\" || \'\\n\', \\$1"').select, 'select "a" || \'\\n\', $1')
    assert.deepEqual(plain(stagesOf('seed "{a: \\"x\\\\ny\\", b: \'\\$c$\'}"')[0]!.args.rows), {
      a: 'x\\ny',
      b: '$c$',
    })
    assert.equal(flags('open https://a.b --selector "[data-x=\\"\\$y$\\"]"').selector, '[data-x="$y$"]')
  })
})

describe('flags', () => {
  test('names ignore letter case, and so do those of commands; aliases work', () => {
    const stage = lastStage('KEEP "a > 1" --LABELstage x --Take 2')
    assert.equal(stage.declaration.name, 'filter')
    assert.equal(stage.label, 'x')
    assert.deepEqual(Object.keys(stage.flags), ['labelStage', 'take'])
  })

  test('arguments and flags interleave, and = joins a value', () => {
    const stage = lastStage('contains --take 2 title --where="a > 1" text')
    assert.deepEqual(plain(stage.args.text), 'text')
    assert.deepEqual(plain(stage.flags.take), 2)
    assert.deepEqual(flags('find a --checkpoint=--x:y').checkpoint, ['--x:y'])
  })

  test('a boolean flag takes only a bare true or false', () => {
    assert.deepEqual(flags('find a --all'), { all: true })
    assert.deepEqual(flags('find a --all false'), { all: false })
    assert.deepEqual(args('find --all "true"'), { words: ['true'] })
    assert.deepEqual(args('find --all yes'), { words: ['yes'] })
    assert.deepEqual(flags('find a --all=false'), { all: false })
  })

  test('a repeated flag is a list in order; one word may hold a list', () => {
    assert.deepEqual(flags('stats "count()" --by a --by b').by, [['a'], ['b']])
    assert.deepEqual(flags('stats "count()" --by "a, b  c"').by, [['a'], ['b'], ['c']])
    assert.deepEqual(flags('stats "count()" --by a,`b c`,d').by, [['a'], ['b c'], ['d']])
    assert.deepEqual(flags('sort a b --order "ascending DESCENDING"').order, ['ascending', 'descending'])
  })

  test('a list of selectors is not split: they have spaces of their own', () => {
    assert.deepEqual(flags('open https://a.b --click "ul li, a" --click b').click, ['ul li, a', 'b'])
  })

  test('a flag may stand for all that begin with its name', () => {
    assert.deepEqual(flags('runTemplate x --template.shop "a b" --template.page 2'), {
      'template.shop': 'a b',
      'template.page': '2',
    })
  })

  test('a command may have a flag of its own in place of a general one', () => {
    const own = { name: 'take', type: 'choice', choices: ['all', 'none'], help: '' } as const
    const commands = [...COMMANDS, { ...COMMANDS[0]!, name: 'odd', flags: [own] }]
    const { plan: made } = plan('odd [] --take all', { commands })
    assert.equal(plain(made!.stages[0]!.flags.take), 'all')
  })
})

describe('arguments', () => {
  test('optional ones may be left out; a repeated one takes all that follow', () => {
    assert.deepEqual(args('limit 5'), { count: 5 })
    assert.deepEqual(args('limit 5 10'), { count: 5, offset: 10 })
    assert.deepEqual(args('dedup'), {})
    assert.deepEqual(args('rename a b `c d` e').names, [['a'], ['b'], ['c d'], ['e']])
  })

  test('integers are exact', () => {
    assert.equal(args('range 9007199254740993 9007199254740994 n').from, 9007199254740993n)
    assert.deepEqual(
      plain(stagesOf('seed {id: 12345678901234567890, x: -9007199254740993, h: 0xFF}')[0]!.args.rows),
      {
        id: 12345678901234567890n,
        x: -9007199254740993n,
        h: 255,
      },
    )
  })

  test('a path in quotes may hold spaces; back-ticks hold dots; two of them are one', () => {
    assert.deepEqual(args('table "a b" "`c.d`.0" "`e``f`" "``" a.* *').columns, [
      ['a b'],
      ['c.d', '0'],
      ['e`f'],
      [''],
      ['a', '*'],
      ['*'],
    ])
  })

  test('choices are found in any letter case and become the declared one', () => {
    assert.equal(args('api GET https://a.b').method, 'get')
  })

  test('lenient JSON: bare keys, single quotes, trailing commas, comments, __proto__ as a key', () => {
    const rows = plain(
      stagesOf("seed {a-b: 'x', /* c */ d: [1, .5, +2,], e: null, __proto__: 1, }")[0]!.args.rows,
    )
    assert.deepEqual(Object.entries(rows as object), [
      ['a-b', 'x'],
      ['d', [1, 0.5, 2]],
      ['e', null],
      ['__proto__', 1],
    ])
  })

  test('JSON or text', () => {
    assert.deepEqual(flags('api post https://a.b --data {a: 1}').data, { a: 1 })
    assert.equal(flags('api post https://a.b --data "a=1&b=2"').data, 'a=1&b=2')
  })
})

describe('stages refer to earlier ones', () => {
  test('by label, by index, and by true', () => {
    stagesOf('range 1 2 n --labelStage x || head 1 || append x || append 1 || head 1 --appendStage true')
    assert.deepEqual(codes('range 1 2 n --labelStage x || append X'), ['unknown_stage'])
    assert.deepEqual(codes('range 1 2 n || append 2 || head 1'), ['later_stage'])
  })

  test('a label is known even when its stage is wrong', () => {
    assert.deepEqual(codes('rnge 1 2 n --labelStage x || append x'), ['unknown_command'])
  })

  test('a command that adds columns may stand first, another reduce command may not', () => {
    stagesOf('addcolumn a 1 || eval b "a"')
    assert.deepEqual(codes('reverse'), ['no_input'])
  })
})

describe('tokens', () => {
  const parts = (query: string) => args(query).url

  test('a path between dollars, with an optional format; any other dollar is a dollar', () => {
    assert.deepEqual(parts('open https://a.b/$page$?x=$`a b`.0|url$&$y'), [
      'https://a.b/',
      { row: 'page' },
      '?x=',
      { row: 'a b/0' },
      '&$y',
    ])
    assert.equal(text('"$5 and $6"'), '$5 and $6')
    assert.equal(text('\\$a$'), '$a$')
  })

  test('names in capitals win over columns, unless in back-ticks', () => {
    const path =
      '$TIMESTAMP$$TIMESTAMP.ISO$$ROW$$ROW.INDEX$$SECRETS.a-b$$PROMPTS.p$$CHECKPOINTS.c$$template.x$$QUERY.ID$$GUID$$`ROW`$$row$'
    assert.deepEqual(parts(`open https://a.b/${path}`), [
      'https://a.b/',
      { timestamp: '' },
      { timestamp: 'ISO' },
      { wholeRow: '' },
      { rowIndex: '' },
      { secret: 'a-b' },
      { prompt: 'p' },
      { checkpoint: 'c' },
      { template: 'x' },
      { queryId: '' },
      { guid: '' },
      { row: 'ROW' },
      { row: 'row' },
    ])
  })

  test('the pointer of a page is one only where pages are asked for', () => {
    assert.deepEqual(
      flags('api get https://a.b --pagination.url "https://a.b/?c=$pagination.next$"')['pagination.url'],
      ['https://a.b/?c=', { pagination: 'next' }],
    )
    assert.deepEqual(parts('open https://a.b/$pagination.next$'), [
      'https://a.b/',
      { row: 'pagination/next' },
    ])
  })

  test('a JSON leaf may be a token, bare or quoted, or text around one', () => {
    const data = lastStage(`api post https://a.b --data '{id: $id$, n: "$n$", t: "no $n$", c: 1}'`).flags
      .data as Value
    assert.equal(data.type, 'json')
    const tree = data.type === 'json' && data.value.kind === 'object' ? data.value.entries : []
    assert.deepEqual(
      tree.map(([key, item]) => [key, item.kind === 'text' ? written(item.template) : item.kind]),
      [
        ['id', { row: 'id' }],
        ['n', { row: 'n' }],
        ['t', ['no ', { row: 'n' }]],
        ['c', 'constant'],
      ],
    )
  })

  test('numbers, paths and choices given by a token are typed later', () => {
    assert.deepEqual(args('head $template.n$').count, { template: 'n' })
    assert.deepEqual(args('table $template.c$ x').columns, [{ template: 'c' }, ['x']])
  })

  test('row tokens: in expanding commands and templates, and only where rows come before', () => {
    stagesOf(`${SEED}prompt "about $a$" || addcolumn b "$a$ and $ROW.INDEX$"`)
    assert.deepEqual(codes(`${SEED}contains b $a$`), ['row_token_refused'])
    assert.deepEqual(codes('prompt $a$'), ['row_token_refused'])
    assert.deepEqual(codes('addcolumn b $a$'), ['row_token_refused'])
    assert.deepEqual(codes(`${SEED}seed {a: $a$}`), ['row_token_refused'])
    assert.deepEqual(codes(`${SEED}open https://a.b --take $a$`), ['row_token_refused'])
  })

  test('constant tokens work in every command', () => {
    assert.deepEqual(text('"since $CHECKPOINTS.last$"'), ['since ', { checkpoint: 'last' }])
    stagesOf(`${SEED}filter "a > $CHECKPOINTS.last$"`)
  })

  test('tokens never reach the host of a URL, unless they are all of it', () => {
    assert.deepEqual(parts('open $url$'), { row: 'url' })
    for (const url of [
      'https://$a$/',
      'https://x.$a$',
      'https://x:$a$/',
      '$a$/x',
      'https://x\\@$a$/',
      '//$a$',
    ])
      assert.deepEqual(codes(`${SEED}open ${url}`), ['token_in_host'], url)
    for (const url of ['https://x/$a$', 'https://x?$a$', 'http://x:80/#$a$'])
      assert.deepEqual(codes(`${SEED}open ${url}`), [], url)
  })

  test('secrets go only where a request takes them, and never choose its host', () => {
    assert.deepEqual(
      codes(`${SEED}api get https://a.b/$SECRETS.k$ --bearer $CREDENTIALS.c$ --headers {k: "$SECRETS.k$"}`),
      [],
    )
    assert.deepEqual(codes(`${SEED}prompt $SECRETS.k$`), ['secret_refused'])
    assert.deepEqual(codes(`${SEED}filter "a == $SECRETS.k$"`), ['secret_refused'])
    assert.deepEqual(codes(`${SEED}open $SECRETS.k$`), ['secret_refused'])
  })

  test('code takes no tokens, but dollars of its own', () => {
    assert.deepEqual(codes(`${SEED}sql "select $a$"`), ['token_refused'])
    stagesOf(`${SEED}evaluate https://a.b "$('a').text() + \`\${x}\`"`)
    stagesOf(`${SEED}graphql https://a.b "query($id: ID!, $n: Int) { a(id: $id, n: $n) { b } }"`)
    stagesOf(`${SEED}sql \`\`\`select $tag$x$tag$\`\`\``)
    assert.deepEqual(codes(`${SEED}filter \`\`\`a > $b$\`\`\``), ['token_refused'])
  })
})

describe('what the planner is told', () => {
  test('syntaxOnly checks no names and no types, and still shows the stages', () => {
    const {
      plan: made,
      diagnostics,
      stages,
    } = plan('foo a --b c || head ten', { commands: COMMANDS, syntaxOnly: true })
    assert.equal(made, null)
    assert.deepEqual(diagnostics, [])
    assert.deepEqual(
      stages.map(it => [it.name, it.args.length, it.flags.length]),
      [
        ['foo', 1, 1],
        ['head', 1, 0],
      ],
    )
    assert.deepEqual(
      plan('head 1 |', { commands: [], syntaxOnly: true }).diagnostics.map(it => it.code),
      ['lone_pipe'],
    )
  })

  test('names that live elsewhere are checked only when they are known', () => {
    const query = 'runTemplate x'
    const options = (names: readonly string[]) => ({
      commands: COMMANDS,
      knows: { template: () => new Set(names) },
    })
    assert.equal(plan(query, { commands: COMMANDS }).diagnostics.length, 0)
    assert.equal(plan(query, options(['x'])).diagnostics.length, 0)
    assert.deepEqual(
      plan(query, options(['y'])).diagnostics.map(it => it.code),
      ['unknown_name'],
    )
  })

  test('wrong stages are in the result as far as they were understood', () => {
    const { stages } = plan('range 1 5 n || head ten || sort n', { commands: COMMANDS })
    assert.deepEqual(
      stages.map(it => it.stage !== undefined),
      [true, false, true],
    )
  })
})
