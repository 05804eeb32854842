import type { Column } from '../src/sql/relation.ts'

export const ROWS = 1_000_000

/** A million rows of about 165 bytes as JSON: numbers, numbers in text, two nested columns, one that is rarely there. */
export const MILLION = `SELECT
  i AS id,
  'Artikel ' || (i * 7919 % 100000) || CASE WHEN i % 3 = 0 THEN ' größer' ELSE '' END AS name,
  printf('%.2f', (i * 31 % 100000) / 100.0) AS price,
  (i * 17 % 9973) / 7.0 AS score,
  i % 90 AS qty,
  to_json({class: 'c' || (i % 20), href: '/p/' || i})::JSON AS attributes,
  to_json(['t' || (i % 5), 't' || (i % 7)])::JSON AS tags,
  CASE WHEN i % 10 = 0 THEN 'rare' END AS rare
FROM range(${ROWS}) r(i)`

export const COLUMNS: readonly Column[] = [
  { name: 'id', id: 'id', type: 'BIGINT' },
  { name: 'name', id: 'name', type: 'VARCHAR' },
  { name: 'price', id: 'price', type: 'VARCHAR', numericText: true },
  { name: 'score', id: 'score', type: 'DOUBLE' },
  { name: 'qty', id: 'qty', type: 'BIGINT' },
  { name: 'attributes', id: 'attributes', type: 'JSON' },
  { name: 'tags', id: 'tags', type: 'JSON' },
  { name: 'rare', id: 'rare', type: 'VARCHAR' },
]

/** What is asked of both: of ours as it stands in a query or a request, of DuckDB as somebody would write it by hand. */
export interface Task {
  readonly name: string
  readonly ours:
    | { readonly query: string }
    | { readonly page: { readonly offset: number; readonly sort?: readonly string[] } }
    | { readonly csv: true }
  /** In SQL over `input`; `COPY` puts it into a file, a page is read. */
  readonly peer: { readonly copy: string; readonly as: 'parquet' | 'csv' } | { readonly read: string }
}

const PAGE = 100
const MIDDLE = 500_000
const parquet = (copy: string): Task['peer'] => ({ copy, as: 'parquet' })

export const TASKS: readonly Task[] = [
  {
    name: 'filter, number in text',
    ours: { query: 'filter "price > 500"' },
    peer: parquet('SELECT * FROM input WHERE try_cast(price AS DOUBLE) > 500'),
  },
  {
    name: 'filter, nested',
    ours: { query: `filter "attributes.class == 'c3' and qty >= 10"` },
    peer: parquet(`SELECT * FROM input WHERE attributes ->> '/class' = 'c3' AND qty >= 10`),
  },
  {
    name: 'filter, division',
    ours: { query: 'filter "score / qty > 10"' },
    peer: parquet('SELECT * FROM input WHERE score / nullif(qty, 0) > 10'),
  },
  {
    name: 'sort, number',
    ours: { query: 'sort score' },
    peer: parquet('SELECT * FROM input ORDER BY score, file_row_number'),
  },
  {
    name: 'sort, number in text',
    ours: { query: 'sort price --order descending' },
    peer: parquet('SELECT * FROM input ORDER BY try_cast(price AS DOUBLE) DESC NULLS LAST, file_row_number'),
  },
  {
    name: 'sort, nested text',
    ours: { query: 'sort attributes.class name' },
    peer: parquet(`SELECT * FROM input ORDER BY attributes ->> '/class', name, file_row_number`),
  },
  {
    name: 'stats --by, 90 groups',
    ours: { query: 'stats "count() as n, avg(price), max(score)" --by qty' },
    peer: parquet(
      'SELECT qty, count(*) AS n, avg(try_cast(price AS DOUBLE)), max(score) FROM input GROUP BY qty ORDER BY min(file_row_number)',
    ),
  },
  {
    name: 'stats --by, nested',
    ours: { query: 'stats "count() as n, sum(qty)" --by attributes.class' },
    peer: parquet(
      `SELECT attributes ->> '/class' AS class, count(*) AS n, sum(qty) FROM input GROUP BY 1 ORDER BY min(file_row_number)`,
    ),
  },
  {
    name: 'dedup, 100,000 left',
    ours: { query: 'dedup name' },
    peer: parquet(
      // Without a name of its own for it, DuckDB 1.5.5 fails with an internal error.
      'SELECT * EXCLUDE n FROM (SELECT *, file_row_number AS n FROM input) QUALIFY row_number() OVER (PARTITION BY name ORDER BY n) = 1 ORDER BY n',
    ),
  },
  {
    name: 'page in the middle',
    ours: { page: { offset: MIDDLE } },
    peer: { read: `SELECT to_json(t) FROM (SELECT * FROM input LIMIT ${PAGE} OFFSET ${MIDDLE}) t` },
  },
  {
    name: 'sorted page in the middle',
    ours: { page: { offset: MIDDLE, sort: ['score'] } },
    peer: {
      read: `SELECT to_json(t) FROM (SELECT * FROM input ORDER BY score LIMIT ${PAGE} OFFSET ${MIDDLE}) t`,
    },
  },
  {
    name: 'sorted page, number in text',
    ours: { page: { offset: MIDDLE, sort: ['price'] } },
    peer: {
      read: `SELECT to_json(t) FROM (SELECT * FROM input ORDER BY try_cast(price AS DOUBLE) LIMIT ${PAGE} OFFSET ${MIDDLE}) t`,
    },
  },
  {
    name: 'CSV',
    ours: { csv: true },
    peer: {
      copy: `SELECT id, name, price, score, qty, attributes ->> '/class' AS "attributes.class", attributes ->> '/href' AS "attributes.href", tags ->> '/0' AS "tags.0", tags ->> '/1' AS "tags.1", rare FROM input`,
      as: 'csv',
    },
  },
]

export const PAGE_ROWS = PAGE
