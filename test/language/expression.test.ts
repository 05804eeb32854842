import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDuration } from '../../src/language/expression/duration.ts'
import { formatExpression } from '../../src/language/expression/format.ts'
import { FUNCTIONS, usageOf } from '../../src/language/expression/functions.ts'
import { parseAggregates, parseExpression } from '../../src/language/expression/parse.ts'
import { resolveExpression } from '../../src/language/expression/resolve.ts'
import { unknownSpecifier } from '../../src/language/expression/strftime.ts'
import type { Expression } from '../../src/language/expression/tree.ts'
import { nodesOf, tokensIn } from '../../src/language/expression/walk.ts'
import type { Json, Row } from '../../src/language/json.ts'
import fc from '../support/fast-check.ts'

const same = (offset: number): number => offset

function parsed(text: string): Expression {
  const { expression, diagnostics } = parseExpression(text, same)
  assert.deepEqual(diagnostics, [], text)
  return expression!
}

/** An expression without its places, to compare what it says. */
const bare = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, item) =>
      key === 'span' ? undefined : typeof item === 'bigint' ? `${item}n` : item,
    ),
  )

/** With every bracket that the reading implies. */
function brackets(node: Expression): string {
  switch (node.kind) {
    case 'binary':
      return `(${brackets(node.left)} ${node.operator} ${brackets(node.right)})`
    case 'unary':
      return `(${node.operator} ${brackets(node.operand)})`
    case 'in':
      return `(${brackets(node.operand)}${node.negated ? ' not' : ''} in ${node.list.map(brackets).join(' ')})`
    case 'between':
      return `(${brackets(node.operand)}${node.negated ? ' not' : ''} between ${brackets(node.low)} ${brackets(node.high)})`
    case 'isNull':
      return `(${brackets(node.operand)} is${node.negated ? ' not' : ''} null)`
    case 'call':
      return `${node.name}[${node.args.map(brackets).join(' ')}]`
    default:
      return formatExpression(node)
  }
}

test('operators bind as the documentation says', () => {
  const readings: readonly (readonly [string, string])[] = [
    ['a or b and c', '(a or (b and c))'],
    ['a || b && c', '(a or (b and c))'],
    ['not a and b', '((not a) and b)'],
    ['! a == b', '(not (a == b))'],
    ['not not a', '(not (not a))'],
    ['a == b or c != d', '((a == b) or (c != d))'],
    ['a = 1 and b <> 2', '((a == 1) and (b != 2))'],
    ['a + b * c', '(a + (b * c))'],
    ['a - b - c', '((a - b) - c)'],
    ['a-b', '(a - b)'],
    ['-a * b', '((- a) * b)'],
    ['2 - -3', '(2 - -3)'],
    ['- -3', '(- -3)'],
    ['a ?? b ?? c', '(a ?? (b ?? c))'],
    ['a ?? 0 > 10', '((a ?? 0) > 10)'],
    ['a ?? b + 1', '(a ?? (b + 1))'],
    ['a in (1, 2) and b not in (3)', '((a in 1 2) and (b not in 3))'],
    ['a between 1 and 5 and b', '((a between 1 5) and b)'],
    ['a not between 1 + 1 and 5 or b', '((a not between (1 + 1) 5) or b)'],
    ["a like 'x%' or a not like 'y'", "((a like 'x%') or (a notLike 'y'))"],
    ['a is null and b is not null', '((a is null) and (b is not null))'],
    ["a =~ 'x' and b !~ 'y'", "((a =~ 'x') and (b !~ 'y'))"],
    ["a contains 'x' or contains(b, 'y')", "((a contains 'x') or contains[b 'y'])"],
    ['(a or b) and c', '((a or b) and c)'],
    ['IF(a, B, c) + Round(1.5)', '(if[a B c] + round[1.5])'],
    ['A AND NOT B OR NULL IS NULL', '((A and (not B)) or (null is null))'],
    ['s:dict.0.s:key.6.textContent == @id', '(s:dict.0.s:key.6.textContent == @id)'],
    ['`odd name`.x % `and`', '(`odd name`.x % `and`)'],
    ['count + first', '(count + first)'],
    ['$a.b$ + 1', '($a.b$ + 1)'],
    ['.5 + 1e3 + 1.5E-2', '((0.5 + 1000) + 0.015)'],
  ]
  for (const [text, expected] of readings) assert.equal(brackets(parsed(text)), expected, text)
})

test('texts, patterns and tokens inside quotes', () => {
  const literal = (text: string): unknown => {
    const node = parsed(text)
    return node.kind === 'literal' ? node.value : node
  }
  assert.equal(literal(String.raw`'a\'b\\c\n\u0041\$x\d'`), "a'b\\c\nA$x\\d")
  assert.equal(literal(`"it's"`), "it's")
  assert.equal(literal('9223372036854775807'), 9223372036854775807n)
  assert.equal(literal('-9223372036854775808'), -9223372036854775808n)
  assert.equal(literal('1e400 - 1'.slice(0, 3)), 10000)
  const pattern = parsed(String.raw`x =~ '\$\'(?<p>[\d.]+)\\'`)
  assert.ok(pattern.kind === 'binary' && pattern.right.kind === 'regex')
  assert.deepEqual(pattern.right.template.parts, [String.raw`\$'(?<p>[\d.]+)\\`])
  const template = parsed(`'<$a$ \\$b$>'`)
  assert.ok(template.kind === 'template')
  assert.deepEqual(
    template.template.parts.map(part => (typeof part === 'string' ? part : part.source)),
    ['<', '$a$', ' $b$>'],
  )
  assert.deepEqual(
    tokensIn(parsed("$a$ > 1 and b =~ '$c$' or d == 'x$e.f$'")).map(token => token.source),
    ['$a$', '$c$', '$e.f$'],
  )
})

test('places are those of the query', () => {
  const at = (offset: number): number => 100 + offset * 2
  const node = parseExpression('price  > 10', at).expression!
  assert.deepEqual(node.span, { offset: 100, length: 22 })
  assert.ok(node.kind === 'binary')
  assert.deepEqual(node.left.span, { offset: 100, length: 10 })
  assert.deepEqual(node.right.span, { offset: 118, length: 4 })
  const token = parseExpression("x == 'ab $c$'", at).expression!
  assert.ok(token.kind === 'binary')
  assert.deepEqual(tokensIn(token)[0]?.span, { offset: 118, length: 6 })
})

/** `[expression, marked text, part of the message, suggestion]` */
const WRONG: readonly (readonly [string, string, RegExp, string?])[] = [
  ['', '', /empty/],
  ['   ', '   ', /empty/],
  ['price >', '>', /missing after >/],
  ['> 10', '>', /missing before >/],
  ['price 10', '10', /operator is missing before 10/],
  ['price > 10 name', 'name', /operator is missing before name/],
  ['(a or b', '(', /never closed/],
  ['a or b)', ')', /closes nothing/],
  ['lower(a', '(', /never closed/],
  ['lower(a b)', 'b', /operator is missing/],
  ["name == 'abc", "'abc", /never closed/],
  ['`odd', '`odd', /never closed/],
  ['a.', '.', /name must follow the dot/],
  ['a.* == 1', 'a.*', /several values/],
  ['a | b', '|', /means nothing/, '||'],
  ['a & b', '&', /means nothing/, '&&'],
  ['a === b', '===', /written ==/, '=='],
  ['a => b', '=>', /written >=/, '>='],
  ['a ? b : c', '?', /means nothing/],
  ['a[0]', '[', /means nothing/],
  ['$price > 1', '$', /outside of quotes/],
  ['5px', '5px', /not a number/],
  ['1_000', '1_000', /not a number/],
  ['9223372036854775808', '9223372036854775808', /64 bits/],
  ['1 < x < 5', '<', /cannot be chained/],
  ["x in 'a'", "'a'", /round brackets/],
  ['x in ()', '(', /empty/],
  ['x between 1', '', /two bounds/],
  ['x is 5', '5', /null or not null/],
  ["x not contains 'a'", 'contains', /After not/],
  ['x =~ y', 'y', /regular expression in quotes/],
  ['x =~', '=~', /regular expression in quotes/],
  ["x =~ '('", '(', /never closed/],
  ["x =~ 'a(?=b)'", '(?=', /look-around|Look-around/i],
  ["matches(x, '[')", '[', /never closed/],
  ['matches(x, y)', 'y', /regular expression in quotes/],
  ['lowr(x)', 'lowr', /no function lowr/, 'lower'],
  ['frobnicate(x)', 'frobnicate', /no function/],
  ['Length(x)', 'Length', /no function/, 'len'],
  ['lower()', 'lower()', /no arguments/],
  ['lower(a, b)', 'lower(a, b)', /2 arguments/],
  ["round('x')", "'x'", /must be a number/],
  ['round(true)', 'true', /must be a number/],
  ["formattime(x, '%Q')", "'%Q'", /strftime/],
  ['formattime(x, y)', 'y', /strftime/],
  ["formattime(x, '%Y', 'Nowhere/Town')", "'Nowhere/Town'", /time zone/],
  ["ago('soon')", "'soon'", /length of time/],
  ["bin(x, 'soon')", "'soon'", /length of time/],
  ['bin(x, 0)', '0', /above 0/],
  ['lpad(x, 99999)', '99999', /at most 10000/],
  ["extract(x, '(a)', 2)", '2', /from 0 to 1/],
  ["extract(x, '(?<a>a)', 'b')", "'b'", /name of a group: a/],
  ["first + ' ' + last", "first + ' '", /works on numbers/, "concat(first, ' ')"],
  ["price * 'x'", "price * 'x'", /works on numbers/],
  ['$SECRETS.key$ == 1', '$SECRETS.key$', /secrets go only/],
  ["x == 'a$CREDENTIALS.b$'", '$CREDENTIALS.b$', /secrets go only/],
  ['and', 'and', /missing before and/],
  ['not', 'not', /missing after not/],
  ['-', '-', /missing after -/],
  [`${'('.repeat(100)}a${')'.repeat(100)}`, '(', /nested too deeply/],
]

test('what is wrong is told with its place, and what to do', () => {
  for (const [text, marked, message, suggestion] of WRONG) {
    const { expression, diagnostics } = parseExpression(text, same)
    assert.equal(expression, undefined, text)
    const [problem] = diagnostics
    assert.ok(problem, text)
    assert.equal(
      text.slice(problem.offset, problem.offset + problem.length),
      marked,
      `${text}: ${problem.message}`,
    )
    assert.match(problem.message, message, text)
    assert.equal(problem.suggestion, suggestion, text)
    assert.match(problem.code, /^[a-z_]+$/)
    assert.match(problem.message, /[.?]$/)
  }
})

test('all that is wrong with the calls of an expression is told at once', () => {
  const { diagnostics } = parseExpression("lowr(a) == uper(b) and matches(c, '(') and round('x') > 1", same)
  assert.deepEqual(
    diagnostics.map(problem => problem.code),
    ['unknown_function', 'unknown_function', diagnostics[2]!.code, 'expression_type'],
  )
})

test('aggregates: names, arguments, what is wrong with them', () => {
  const read = (text: string): unknown =>
    parseAggregates(text, same).aggregates?.map(({ function: name, argument, as }) => [
      name,
      argument && formatExpression(argument),
      as.text,
    ])
  assert.deepEqual(read('count() as n, avg(price), COUNT()'), [
    ['count', undefined, 'n'],
    ['avg', 'price', 'avg_price'],
    ['count', undefined, 'count'],
  ])
  assert.deepEqual(read("sum(price * qty), max(a.b), p95(`odd name`) as 'Some Name', first(x) as a.b"), [
    ['sum', 'price * qty', 'sum_price_qty'],
    ['max', 'a.b', 'max_a_b'],
    ['p95', '`odd name`', 'Some Name'],
    ['first', 'x', 'a.b'],
  ])
  const wrong: readonly (readonly [string, string, RegExp, string?])[] = [
    ['', '', /empty/],
    ['count', 'count', /with brackets/, 'count()'],
    ['medain(price)', 'medain', /no aggregate/, 'median'],
    ['average(price)', 'average', /no aggregate/, 'avg'],
    ['lower(x)', 'lower', /works on one value/],
    ['avg()', 'avg()', /no arguments/],
    ['count() n', 'n', /operator is missing/],
    ['count() as', '', /name for the column/],
    ['count(), sum(', '(', /never closed/],
    ['sum(x), sum(x)', 'sum(x)', /both be called sum_x/],
    ['sum(lowr(x))', 'lowr', /no function/, 'lower'],
    ['5', '5', /aggregate such as/],
  ]
  for (const [text, marked, message, suggestion] of wrong) {
    const { aggregates, diagnostics } = parseAggregates(text, same)
    assert.equal(aggregates, undefined, text)
    const problem = diagnostics[0]!
    assert.match(problem.message, message, text)
    assert.equal(text.slice(problem.offset, problem.offset + problem.length), marked, text)
    assert.equal(problem.suggestion, suggestion, text)
  }
})

/** Pieces that make expressions, right and wrong ones. */
const PIECES = [
  'a',
  'b.c',
  '`odd name`',
  'contains',
  '12',
  '1.5',
  '-3',
  "'text'",
  '"x\\"y"',
  "'$t$ \\n'",
  '$tok.en$',
  'true',
  'null',
  'and',
  'or',
  'not',
  '!',
  '&&',
  '||',
  '==',
  '!=',
  '<',
  '>=',
  '=~',
  '!~',
  "'^a\\'(b|\"c)\\$'",
  'in',
  '(',
  ')',
  ',',
  'between',
  'like',
  'is',
  '+',
  '-',
  '*',
  '/',
  '%',
  '??',
  'lower(',
  'if(',
  "matches(a, '\\d')",
  'round(1)',
  'now()',
]

test('no text makes the parser throw, and every place is inside the text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 15 }).map(pieces => pieces.join(' ')),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map(pieces => pieces.join('')),
  )
  fc.assert(
    fc.property(text, written => {
      for (const read of [parseExpression, parseAggregates])
        for (const { offset, length, message } of read(written, same).diagnostics) {
          assert.ok(offset >= 0 && length >= 0 && offset + length <= written.length)
          assert.ok(message.length > 0)
        }
    }),
    { numRuns: 10_000 },
  )
})

/** Expressions that parse: grown, not guessed, so that every case counts. */
const { grown } = fc.letrec<{ grown: string }>(tie => {
  const inner = tie('grown')
  const operand = fc.constantFrom(
    'a',
    'b.0.c',
    '`o``dd`',
    '@x',
    '12',
    '-1.5',
    '9007199254740993',
    "'it\\'s \\\\ \\u0041'",
    '"d\\$q\\n"',
    "'$t.`a b`|json$!'",
    '$x$',
    'null',
    'FALSE',
  )
  const infix = fc.constantFrom(
    'and',
    'or',
    '&&',
    '||',
    '==',
    '=',
    '<>',
    '<',
    '>=',
    'like',
    'not like',
    'contains',
    'startswith',
    'endswith',
    '+',
    '-',
    '*',
    '/',
    '%',
    '??',
  )
  const regex = fc.constantFrom("'^a$'", `"it's \\"q\\""`, "'\\\\\\'\"'", `"\\'"`, "'\\$(?<n>[$x$])'")
  return {
    grown: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      operand,
      fc.tuple(inner, infix, inner).map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
      fc
        .tuple(inner, fc.constantFrom('and', 'or', '+', '-', '*', '??'), inner)
        .map(
          ([left, operator, right]) =>
            `${left.includes(' ') ? `(${left})` : left} ${operator} ${right.includes(' ') ? `(${right})` : right}`,
        ),
      fc
        .tuple(inner, fc.constantFrom('=~', '!~'), regex)
        .map(([left, operator, right]) => `(${left}) ${operator} ${right}`),
      fc.tuple(fc.constantFrom('not ', '! ', '-', '- '), inner).map(([operator, of]) => `${operator}(${of})`),
      fc
        .tuple(inner, fc.constantFrom('in', 'not in'), inner, inner)
        .map(([of, operator, one, two]) => `(${of}) ${operator} (${one}, ${two})`),
      fc
        .tuple(inner, fc.constantFrom('between', 'not between'), inner, inner)
        .map(([of, operator, low, high]) => `(${of}) ${operator} (${low}) and (${high})`),
      fc.tuple(inner, fc.constantFrom('is null', 'is not null')).map(([of, test]) => `(${of}) ${test}`),
      fc.tuple(inner, inner, inner).map(([one, two, three]) => `If(${one}, ${two}, coalesce(${three}))`),
      fc.tuple(inner, regex).map(([of, pattern]) => `matches(${of}, ${pattern})`),
    ),
  }
})

test('an expression that is formatted parses to the same tree', () => {
  let count = 0
  fc.assert(
    fc.property(grown, text => {
      const { expression, diagnostics } = parseExpression(text, same)
      if (!expression)
        return assert.ok(
          diagnostics.every(problem => problem.code === 'expression_type'),
          text,
        )
      count++
      const written = formatExpression(expression)
      const again = parseExpression(written, same)
      assert.deepEqual(again.diagnostics, [], written)
      assert.deepEqual(bare(again.expression), bare(expression), `${text} became ${written}`)
      assert.equal(formatExpression(again.expression!), written)
    }),
    { numRuns: 12_000 },
  )
  assert.ok(count >= 10_000, `${count} of them parsed`)
})

test('a formatted expression has one spelling and no bracket too many', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['((a))&&!b||c=1', 'a and not b or c == 1'],
    ['(a or b) and (c + (d * 2)) > 1', '(a or b) and c + d * 2 > 1'],
    ['a - (b - c)', 'a - (b - c)'],
    ['(a == b) == c', '(a == b) == c'],
    ['not (a and b)', 'not (a and b)'],
    ['-(-3)', '-(-3)'],
    ['(a ?? b) ?? c', '(a ?? b) ?? c'],
    ['"it\'s" <> x', "'it\\'s' != x"],
    [`x=~"it's"`, "x =~ 'it\\'s'"],
    ['IF(A,1.50,b)', 'if(A, 1.5, b)'],
  ]
  for (const [text, expected] of forms) assert.equal(formatExpression(parsed(text)), expected)
})

test('a chain of a thousand conditions is no trouble', () => {
  const text = Array.from({ length: 1000 }, (_, n) => `a == ${n}`).join(' or ')
  const node = parsed(text)
  assert.equal(formatExpression(node), text)
  assert.equal([...nodesOf(resolveExpression(node, { constant: () => undefined }))].length, 3999)
})

test('tokens and the start of the query are filled in', () => {
  const constants: Record<string, Json> = {
    timestamp: Date.UTC(2024, 2, 31),
    template: "it's (x)",
    checkpoint: null,
    prompt: [1, 'b'],
  }
  const filled = (text: string, row?: Row): string =>
    formatExpression(
      resolveExpression(parsed(text), { ...(row && { row }), constant: token => constants[token.kind] }),
    )
  assert.equal(filled('a > $template.n$'), "a > 'it\\'s (x)'")
  assert.equal(filled("a == 'x $template.n$ $b$'"), "a == 'x it\\'s (x) $b$'")
  assert.equal(filled("a =~ '^$template.n$'"), "a =~ '^it\\'s \\(x\\)'")
  assert.equal(
    filled('$CHECKPOINTS.c$ == null or $PROMPTS.p$ contains 1'),
    'null == null or parsejson(\'[1,"b"]\') contains 1',
  )
  assert.equal(filled('$b$ + $ROW.INDEX$ + $GUID$'), '$b$ + $ROW.INDEX$ + $GUID$')
  assert.equal(filled('$b$ + 1', { b: 41 }), '41 + 1')
  assert.equal(filled('now()'), "time('2024-03-31T00:00:00.000Z')")
  assert.equal(
    filled("x < ago('1mo') or x > ago('90s')"),
    "x < time('2024-02-29T00:00:00.000Z') or x > time('2024-03-30T23:58:30.000Z')",
  )
})

test('declarations: each function once, with usage, help and an example that parses', () => {
  const names = FUNCTIONS.map(declaration => declaration.name)
  assert.equal(new Set(names).size, names.length)
  for (const declaration of FUNCTIONS) {
    assert.match(declaration.name, /^[a-z0-9]+$/)
    assert.match(declaration.summary, /[^.]$/, declaration.name)
    assert.deepEqual(parseExpression(declaration.example.expression, same).diagnostics, [], declaration.name)
    const optional = declaration.parameters.findIndex(parameter => parameter.optional)
    if (optional >= 0)
      assert.ok(declaration.parameters.slice(optional).every(parameter => parameter.optional))
  }
  const usage = (name: string): string => usageOf(FUNCTIONS.find(declaration => declaration.name === name)!)
  assert.equal(usage('substr'), 'substr(text, start, [length])')
  assert.equal(usage('concat'), 'concat(value, …)')
})

test('lengths of time and formats', () => {
  assert.deepEqual(parseDuration('1.5h'), { seconds: 5400 })
  assert.deepEqual(parseDuration(' 2 W '), { seconds: 1_209_600 })
  assert.deepEqual(parseDuration('1q'), { months: 3 })
  for (const wrong of ['', '5', 'h', '0s', '-1h', '1.5mo', '1 hour', '99999y', '1e3s'])
    assert.equal(parseDuration(wrong), undefined, wrong)
  assert.equal(unknownSpecifier('100%% %d.%-m.%Y'), undefined)
  assert.equal(unknownSpecifier('%d %'), '%')
  assert.equal(unknownSpecifier('%E'), '%E')
})
