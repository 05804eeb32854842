import type { Path } from '../language/values.ts'
import type { Relation } from '../sql/relation.ts'
import { join, type Sql, sql } from '../sql/sql.ts'
import { jsonOf, textOf } from '../sql/text.ts'
import { typed } from '../sql/value.ts'
import { command } from './command.ts'
import { columnNamed, read } from './shared/columns.ts'
import { mappedValue } from './shared/mapping.ts'
import { apply, written } from './shared/values.ts'

export default command({
  name: 'hash',
  kind: 'reduce',
  group: 'columns',
  summary: 'Adds a digest of columns, as `_hash`',
  help: 'In hexadecimal. Of one column it is the digest of its text, the same that any other tool gives for it; of several it is the digest of the JSON array of their values, so that `ab`, `c` and `a`, `bc` differ. A row in which all of them are missing gets none.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: false, help: 'The columns to take in.' },
  ],
  flags: [
    {
      name: 'algorithm',
      type: 'choice',
      choices: ['md5', 'sha1', 'sha256', 'sha512'],
      default: 'sha256',
      help: 'The kind of digest.',
    },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      input: [{ t: 'a' }, { id: 2 }],
      query: 'hash t',
      output: [
        { t: 'a', _hash: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb' },
        { id: 2 },
      ],
    },
    {
      title: 'Of several columns, one nested and one missing',
      input: [{ a: { x: 'ab' }, b: 1 }, { b: 1 }],
      query: 'hash a.x b --algorithm md5',
      output: [
        { a: { x: 'ab' }, b: 1, _hash: '7c4f50710d99aa8af3681a6c17208001' },
        { b: 1, _hash: '459568a169557cc3056830eaf078ae36' },
      ],
    },
    {
      title: 'A longer one',
      input: [{ t: 'a' }],
      query: 'hash t --algorithm sha512 || eval _hash "substr(_hash, 0, 16)"',
      output: [{ t: 'a', _hash: '1f40fc92da241694' }],
    },
  ],
  reduce: async ({ input, args, flags, ...tools }) => {
    const path = columnNamed('_hash')
    const text = typed(hashedText(input, args.columns), 'VARCHAR')
    if (flags.algorithm !== 'sha512') return written(input, [{ path, value: apply(flags.algorithm, text) }])
    return mappedValue(input, text, path, { mapper: 'digest', algorithm: flags.algorithm }, tools)
  },
})

function hashedText(input: Relation, columns: readonly Path[]): Sql {
  const values = columns.map(path => read(input, path))
  const [first, ...more] = values
  if (more.length === 0) return textOf(first!)
  const present = values.map(value => sql`${value.sql} IS NOT NULL`)
  const items = values.map(value => sql`coalesce(${jsonOf(value)}::VARCHAR, 'null')`)
  return sql`CASE WHEN ${join(present, ' OR ')} THEN '[' || concat_ws(',', ${join(items, ', ')}) || ']' END`
}
