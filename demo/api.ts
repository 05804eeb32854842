import type { Call } from './call.ts'
import { categories, findCategory, findProduct, selectProducts } from './data.ts'
import { echo } from './echo.ts'
import { orders } from './orders.ts'
import { categoryRecord, recordOf, rowOf } from './records.ts'
import { jsonReply, Refusal, type Reply, reply } from './reply.ts'
import type { Router } from './router.ts'
import type { State } from './state.ts'

const PAGE_SIZE = 20
const LARGEST_PAGE = 120
const FAR = 1_000_000

export function apiRoutes(router: Router, state: State): void {
  router.area('JSON')
  router.get(
    '/api/products',
    'products as `{ items, total, next }`: `?page&size` or `?offset&limit`, `?category`, `?q`; `next` is the next address',
    call => productList(call, state),
  )
  router.get(
    '/api/products/:id',
    'one product with specs and reviews, by `id` or by the 64-bit `uid`',
    call => oneProduct(call, state),
    '/api/products/7',
  )
  router.get('/api/cursor', 'products as `{ items, next }`: `?after=CURSOR&size`', call =>
    cursorList(call, state),
  )
  router.get(
    '/api/linked',
    'products as an array, with a `Link` header: `?page&size` or `?offset&limit`; `[]` past the end',
    call => linkedList(call, state),
  )
  router.get('/api/item/:number', 'a tiny object for any number', tinyItem, '/api/item/42')
  router.get('/api/categories', 'the five categories as an array', call =>
    jsonReply(categories.map(category => categoryRecord(category, call.origin))),
  )
  router.get(
    '/api/orders',
    'a year of orders as an array, in order of time: `?from&to` (ISO dates), `?category`, `?page&size`',
    orderList,
  )
  router.any('/api/echo', 'the request as it arrived: method, headers, query, body, form fields, files', echo)
}

interface Slice {
  from: number
  size: number
  /** The parameters of the page after this one. */
  next: Record<string, number>
}

function sliceOf(call: Call): Slice {
  if (call.query('offset') !== undefined || call.query('limit') !== undefined) {
    const from = call.number('offset', 0, 0, FAR)
    const size = call.number('limit', PAGE_SIZE, 1, LARGEST_PAGE)
    return { from, size, next: { offset: from + size } }
  }
  const page = call.number('page', 1, 1, FAR)
  const size = call.number('size', PAGE_SIZE, 1, LARGEST_PAGE)
  return { from: (page - 1) * size, size, next: { page: page + 1 } }
}

function chosen(call: Call, state: State) {
  const category = call.query('category')
  if (category !== undefined && !findCategory(category))
    throw new Refusal(400, `there is no category ${category}`)
  const day = state.dayOf(call)
  return selectProducts({ category, words: call.query('q') }).map(product => rowOf(product, day, call.origin))
}

function productList(call: Call, state: State): Reply {
  const rows = chosen(call, state)
  const { from, size, next } = sliceOf(call)
  const items = rows.slice(from, from + size)
  return jsonReply({
    items,
    total: rows.length,
    next: from + size < rows.length ? call.with(next).href : null,
  })
}

function linkedList(call: Call, state: State): Reply {
  const rows = chosen(call, state)
  const { from, size, next } = sliceOf(call)
  const links = [`<${call.with({ page: undefined, offset: undefined }).href}>; rel="first"`]
  if (from + size < rows.length) links.push(`<${call.with(next).href}>; rel="next"`)
  return jsonReply(rows.slice(from, from + size), {
    link: links.join(', '),
    'x-total-count': String(rows.length),
  })
}

function cursorList(call: Call, state: State): Reply {
  const rows = chosen(call, state)
  const size = call.number('size', PAGE_SIZE, 1, LARGEST_PAGE)
  const after = readCursor(call.query('after'))
  const left = rows.filter(row => row.id > after)
  const items = left.slice(0, size)
  return jsonReply({ items, next: left.length > size ? cursorOf(items.at(-1)!.id) : null })
}

/** Opaque on purpose: whoever pages must hand it back as it is. */
export function cursorOf(id: number): string {
  return Buffer.from(`after:${id}`).toString('base64url')
}

export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0
  const id = /^after:(\d{1,6})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (id === undefined) throw new Refusal(400, `"${cursor}" is not a cursor from this list`)
  return Number(id)
}

function oneProduct(call: Call, state: State): Reply {
  const product = findProduct(call.params.id!)
  if (!product) throw new Refusal(404, `there is no product ${call.params.id}`)
  return jsonReply(recordOf(product, state.dayOf(call), call.origin))
}

/** Written by hand, because this is the one that throughput is measured with. */
function tinyItem({ params }: Call): Reply {
  const number = params.number!
  if (!/^(?:0|[1-9]\d{0,17})$/.test(number)) throw new Refusal(404, `there is no item ${number}`)
  return reply(
    'application/json; charset=utf-8',
    `{"id":${number},"name":"Item ${number}","even":${/[02468]$/.test(number)}}`,
  )
}

function orderList(call: Call): Reply {
  const from = isoDate(call, 'from') ?? ''
  const to = isoDate(call, 'to') ?? '9999'
  const category = call.query('category')
  const found = orders.filter(
    order =>
      order.placed >= from &&
      order.placed.slice(0, to.length) <= to &&
      (category === undefined || order.category === category),
  )
  if (call.query('page') === undefined && call.query('size') === undefined) return jsonReply(found)
  const { from: first, size } = sliceOf(call)
  return jsonReply(found.slice(first, first + size))
}

function isoDate(call: Call, name: string): string | undefined {
  const text = call.query(name)
  if (text === undefined || /^\d{4}-\d{2}-\d{2}$/.test(text)) return text
  throw new Refusal(400, `${name} must be a date such as 2025-06-30, not "${text}"`)
}
