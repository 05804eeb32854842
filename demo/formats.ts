import { gzipSync } from 'node:zlib'
import type { Call } from './call.ts'
import { categories, products } from './data.ts'
import { type Markup, markup } from './markup.ts'
import { categoryRecord, recordOf } from './records.ts'
import { jsonReply, type Reply, reply, stringify, xmlReply } from './reply.ts'
import type { Router } from './router.ts'
import type { State } from './state.ts'
import { zip } from './zip.ts'

type ProductRecord = ReturnType<typeof recordOf>

const COLUMNS = [
  'id',
  'uid',
  'name',
  'brand',
  'category',
  'price',
  'rating',
  'stock',
  'added',
  'color',
  'grams',
  'tags',
  'description',
] as const

export function formatRoutes(router: Router, state: State): void {
  const records = (call: Call) => products.map(product => recordOf(product, state.dayOf(call), call.origin))
  router.area('The same products in other formats')
  router.get('/data/products.json', 'one JSON array', call => jsonReply(records(call)))
  router.get('/data/products.ndjson', 'a JSON object on each line', call =>
    reply(
      'application/x-ndjson; charset=utf-8',
      records(call)
        .map(record => `${stringify(record)}\n`)
        .join(''),
    ),
  )
  router.get('/data/products.csv', 'CSV with quotes, commas and line breaks in its cells', call =>
    reply('text/csv; charset=utf-8; header=present', csvOf(records(call))),
  )
  router.get('/data/products.csv.gz', 'the CSV, gzipped', call =>
    reply('application/gzip', gzipSync(csvOf(records(call)))),
  )
  router.get('/data/products.zip', 'a ZIP of products.csv and categories.csv', call =>
    zipReply(call, records(call)),
  )
  router.get('/data/products.xml', 'XML with three namespaces', call => xmlReply(xmlOf(records(call))))
  router.get('/data/products.html', 'a plain HTML table', call =>
    reply('text/html; charset=utf-8', tableOf(records(call)).text),
  )
}

function cellsOf(record: ProductRecord): (string | number | bigint)[] {
  const { color, grams, tags } = record.attributes
  const flat = { ...record, color, grams, tags: tags.join(' '), price: record.price.toFixed(2) }
  return COLUMNS.map(column => flat[column])
}

function csvOf(records: ProductRecord[]): string {
  return csv([[...COLUMNS], ...records.map(cellsOf)])
}

function csv(rows: (string | number | bigint)[][]): string {
  return rows.map(row => `${row.map(cell => quoted(String(cell))).join(',')}\r\n`).join('')
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

function zipReply(call: Call, records: ProductRecord[]): Reply {
  const rows = categories.map(category => Object.values(categoryRecord(category, call.origin)))
  const head = Object.keys(categoryRecord(categories[0]!, call.origin))
  const files = { 'products.csv': csvOf(records), 'categories.csv': csv([head, ...rows]) }
  return reply('application/zip', zip(files), {
    'content-disposition': 'attachment; filename="products.zip"',
  })
}

function xmlOf(records: ProductRecord[]): Markup {
  return markup`<catalog xmlns="urn:forage:demo:catalog" xmlns:p="urn:forage:demo:price" xmlns:r="urn:forage:demo:review" count="${records.length}">
${records.map(xmlProduct)}</catalog>`
}

function xmlProduct(record: ProductRecord): Markup {
  return markup`<product id="${record.id}" uid="${record.uid}" category="${record.category}">
<name>${record.name}</name><brand>${record.brand}</brand>
<p:price p:currency="${record.currency}">${record.price.toFixed(2)}</p:price>
<description>${record.description}</description>
<specs>${Object.entries(record.specs).map(([name, value]) => markup`<spec name="${name}">${value}</spec>`)}</specs>
<r:reviews r:average="${record.rating}">${record.reviews.map(({ author, stars, date, text }) => markup`<r:review r:stars="${stars}" r:date="${date}"><r:author>${author}</r:author><r:text>${text}</r:text></r:review>`)}</r:reviews>
</product>
`
}

function tableOf(records: ProductRecord[]): Markup {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Products</title></head><body>
<table id="products"><thead><tr>${COLUMNS.map(column => markup`<th>${column}</th>`)}</tr></thead><tbody>
${records.map(
  record => markup`<tr>${cellsOf(record).map(cell => markup`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table>
</body></html>
`
}
