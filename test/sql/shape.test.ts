import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FUNCTIONS, type FunctionParameter } from '../../src/language/expression/functions.ts'
import { isPlainNumber } from '../../src/language/expression/numbers.ts'
import type { BinaryOperator, Expression } from '../../src/language/expression/tree.ts'
import type { Row } from '../../src/language/json.ts'
import { escapeRegex } from '../../src/language/regex.ts'
import { readFailure } from '../../src/sql/errors.ts'
import { compile } from '../../src/sql/expression.ts'
import type { Column } from '../../src/sql/relation.ts'
import { join, render, type SqlType, sql } from '../../src/sql/sql.ts'
import fc from '../support/fast-check.ts'
import { Database } from './duckdb.ts'

/** Names and texts by which somebody might try to leave the quotes. */
const HOSTILE = [
  `"; DROP TABLE t; --`,
  `'); SELECT 1; --`,
  `' OR '1'='1`,
  `$1`,
  `$1::VARCHAR`,
  `\\'`,
  `""`,
  `''`,
  `/* x */`,
  `-- x`,
  `a"b'c\`d`,
  `line\nbreak`,
  `'||chr(0)||'`,
  `~0`,
  `~1/~0`,
  `é👍`,
  `E'\\x'`,
  `%s {} \${x}`,
  `lambda x: x`,
  ``,
]
const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 12 }).map(text => text.replaceAll('\0', '')),
)
const span = { offset: 0, length: 1 }

const TYPES: readonly SqlType[] = ['BIGINT', 'DOUBLE', 'VARCHAR', 'BOOLEAN', 'JSON']
const columnName = (index: number): string => `${HOSTILE[index]}${index}`

const literal = fc.oneof(
  hostile,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom(null, '12.5', 9007199254740993n, 0),
)
const leaf: fc.Arbitrary<Expression> = fc.oneof(
  literal.map((value): Expression => ({ kind: 'literal', value, span })),
  fc.tuple(fc.nat({ max: TYPES.length - 1 }), fc.array(hostile, { maxLength: 2 })).map(
    ([column, below]): Expression => ({
      kind: 'path',
      path: { text: '', segments: [columnName(column), ...below] },
      span,
    }),
  ),
)
const OPERATORS: readonly BinaryOperator[] = [
  'and',
  'or',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'like',
  'notLike',
  'contains',
  'startswith',
  'endswith',
  '+',
  '-',
  '*',
  '/',
  '%',
  '??',
]

const regexNode = hostile.map(
  (text): Expression => ({ kind: 'regex', template: { parts: [`(?<n>${escapeRegex(text)})`] }, span }),
)
const written = (...values: string[]): fc.Arbitrary<Expression> =>
  fc.constantFrom(...values).map((value): Expression => ({ kind: 'literal', value, span }))

function argument({ type }: FunctionParameter, any: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  switch (type) {
    case 'regex':
      return regexNode
    case 'group':
      return written('n')
    case 'format':
      return written('%Y-%m-%d', "%d'%m")
    case 'timezone':
      return written('Europe/Rome')
    case 'duration':
    case 'size':
      return written('1h', '3mo')
    default:
      return any
  }
}

const CALLABLE = FUNCTIONS.filter(({ name }) => !['now', 'ago', 'absurl', 'htmltext', 'uuid'].includes(name))

const { expression } = fc.letrec<{ expression: Expression }>(tie => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.record({
      kind: fc.constant('unary' as const),
      operator: fc.constantFrom('not' as const, '-' as const),
      operand: tie('expression'),
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant('binary' as const),
      operator: fc.constantFrom(...OPERATORS),
      left: tie('expression'),
      right: tie('expression'),
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant('binary' as const),
      operator: fc.constantFrom('=~' as const, '!~' as const),
      left: tie('expression'),
      right: regexNode,
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant('in' as const),
      negated: fc.boolean(),
      operand: tie('expression'),
      list: fc.array(tie('expression'), { minLength: 1, maxLength: 3 }),
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant('between' as const),
      negated: fc.boolean(),
      operand: tie('expression'),
      low: tie('expression'),
      high: tie('expression'),
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant('isNull' as const),
      negated: fc.boolean(),
      operand: tie('expression'),
      span: fc.constant(span),
    }),
    fc
      .constantFrom(...CALLABLE)
      .chain(({ name, parameters }) =>
        fc
          .tuple(...parameters.map(parameter => argument(parameter, tie('expression'))))
          .map((args): Expression => ({ kind: 'call', name, args, span })),
      ),
  ),
}))

/** The same expression with every text of the user's replaced by a harmless one of its kind. */
function harmless(node: Expression): Expression {
  const map = (child: Expression): Expression => harmless(child)
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'string' && !isFixed(node.value)
        ? { ...node, value: isPlainNumber(node.value) ? node.value : 'x' }
        : node
    case 'path': {
      const [column, ...below] = node.path.segments
      const index = TYPES.findIndex((_, at) => columnName(at) === column)
      return { ...node, path: { text: '', segments: [`c${index}`, ...below.map(() => 'k')] } }
    }
    case 'regex':
      return { ...node, template: { parts: ['(?<n>x)'] } }
    case 'unary':
    case 'isNull':
      return { ...node, operand: map(node.operand) }
    case 'binary':
      return { ...node, left: map(node.left), right: map(node.right) }
    case 'in':
      return { ...node, operand: map(node.operand), list: node.list.map(map) }
    case 'between':
      return { ...node, operand: map(node.operand), low: map(node.low), high: map(node.high) }
    case 'call':
      return { ...node, args: node.args.map(map) }
    default:
      return node
  }
}
const isFixed = (text: string): boolean =>
  ['n', '%Y-%m-%d', "%d'%m", 'Europe/Rome', '1h', '3mo'].includes(text)

/** The statement with what is quoted taken out: its shape. */
const shape = (text: string): string =>
  text.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g, quoted => (quoted.startsWith('"') ? '<name>' : '<text>'))

const columns = (names: (index: number) => string): Column[] =>
  TYPES.map((type, index) => ({ name: names(index), id: names(index), type }))

test('no text, name or value changes the shape of the SQL', () => {
  const given = columns(columnName)
  const plain = columns(index => `c${index}`)
  fc.assert(
    fc.property(expression, node => {
      const statement = render(compile(node, given).sql)
      const expected = render(compile(harmless(node), plain).sql)
      assert.equal(shape(statement.text), shape(expected.text))
      assert.equal(statement.values.length, expected.values.length)
      assert.ok(!statement.text.includes('\0'))
    }),
    { numRuns: 10_000 },
  )
})

let db: Database
before(async () => {
  db = await Database.open()
})
after(() => db.close())

test('whatever compiles also runs, over every type of column', async () => {
  const [big, double, text, flag, json] = TYPES.map((_, index) => columnName(index)) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const rows: Row[] = [
    { [big]: 5, [double]: 2.5, [text]: '12', [flag]: true, [json]: { k: [1, 'two', null] } },
    { [big]: 9007199254740993n, [double]: -0.001, [text]: '2024-01-02', [flag]: false, [json]: [3, 'x'] },
    { [text]: HOSTILE[1]!, [json]: 'word' },
    { [big]: 0, [double]: 1e300, [json]: 7 },
    {},
  ]
  const relation = await db.table(
    rows,
    Object.fromEntries(TYPES.map((type, index) => [columnName(index), type])),
  )
  const all = fc
    .sample(expression, { numRuns: 3000, seed: 5 })
    .map(node => compile(node, relation.columns).sql)
  for (let at = 0; at < all.length; at += 10) await runs(all.slice(at, at + 10), relation.sql)
})

/** Too large a number is the one failure that is allowed; it hides the others of its batch, so they run alone. */
async function runs(parts: readonly ReturnType<typeof sql>[], from: ReturnType<typeof sql>): Promise<void> {
  try {
    await db.query(sql`SELECT ${join(parts, ', ')} FROM (${from})`)
  } catch (error) {
    if (parts.length > 1) for (const part of parts) await runs([part], from)
    else if (!readFailure(String(error))) assert.fail(`${error}\n${render(parts[0]!).text}`)
  }
}
