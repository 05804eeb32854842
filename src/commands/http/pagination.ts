import { type Json, type Row, stringifyJson } from '../../language/json.ts'
import { valueAt } from '../../language/paths.ts'
import { textOf } from '../../language/resolve.ts'
import type { Path } from '../../language/values.ts'
import { CommandFailure } from '../failure.ts'
import type { HttpContext } from './context.ts'
import { nextLink } from './link-header.ts'
import { type Ask, itemCount, type Page } from './page.ts'
import { isRow } from './serializers/content.ts'

export interface PageFlags {
  readonly 'pagination.next': Path | undefined
  readonly 'pagination.link': boolean
  readonly 'pagination.page': string | undefined
  readonly 'pagination.offset': string | undefined
}

/** Says what to ask after a page; undefined when it was the last. */
export interface Pager {
  next(page: Page, ask: Ask): Ask | undefined
  /** Counting goes past the end to find it: whether this page lies there, or is the one before once more. */
  isPastEnd?(page: Page, before: Page): boolean
}

/** The pages of a list, each fetched when the one before has been read. */
export async function* pages(
  first: Ask,
  pager: Pager | undefined,
  max: number,
  fetchPage: (ask: Ask) => Promise<Page>,
  { warn }: Pick<HttpContext, 'warn'>,
): AsyncGenerator<Page> {
  let ask = first
  let before: Page | undefined
  for (let count = 1; ; count++) {
    const page = await fetchPage(ask)
    if (before && pager?.isPastEnd?.(page, before)) return
    yield page
    const next = page.content.rows.length > 0 ? pager?.next(page, ask) : undefined
    if (!next) return
    if (count === max) {
      warn(
        'pagination_max',
        `Only the first ${max} page${max === 1 ? ' was' : 's were'} fetched, and there may be more. Raise --pagination.max to get them; 0 is no limit.`,
      )
      return
    }
    ask = next
    before = page
  }
}

export function pagerOf(flags: PageFlags, first: Ask, context: HttpContext): Pager | undefined {
  const { 'pagination.next': path, 'pagination.link': link } = flags
  const { 'pagination.page': pageName, 'pagination.offset': offsetName } = flags
  const given = [path, link || undefined, pageName, offsetName].filter(flag => flag !== undefined)
  if (given.length > 1)
    throw new CommandFailure(
      'two_paginations',
      'Pages are found in one way: by --pagination.next, --pagination.link, --pagination.page or --pagination.offset.',
    )
  if (path) return pointerPager(path, pointer => followed(pointer, first, context))
  if (link) return linkPager(first)
  if (pageName !== undefined) return counter(pageName, first, 1, () => 1, context)
  return offsetName === undefined
    ? undefined
    : counter(offsetName, first, 0, page => itemCount(page.content), context)
}

/** Follows what an answer says at a path, until that is empty or was there before. */
export function pointerPager(path: Path, follow: (pointer: Json) => (ask: Ask, answered: URL) => Ask): Pager {
  const seen = new Set<string>()
  return {
    next: ({ content, response }, ask) => {
      const pointer = pointerIn(content.document, path)
      if (pointer === undefined || seen.has(stringifyJson(pointer))) return undefined
      seen.add(stringifyJson(pointer))
      return follow(pointer)(ask, response.url)
    },
  }
}

/** Beside a cursor, `hasNextPage: false` says that it leads nowhere: GraphQL connections have one on every page. */
function pointerIn(document: Json, path: Path): Json | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  const pointer = valueAt(document as Row, path)
  const around = path.segments.slice(0, -1)
  const holder = around.length === 0 ? document : valueAt(document as Row, { text: '', segments: around })
  if (holder && isRow(holder) && holder.hasNextPage === false) return undefined
  const isEmpty =
    pointer === undefined || pointer === null || pointer === '' || pointer === false || isEmptyList(pointer)
  return isEmpty ? undefined : pointer
}

const isEmptyList = (value: Json): boolean => Array.isArray(value) && value.length === 0

const ADDRESS = /^(?:https?:\/\/|\/|\?|\.\.?\/)/i

/** Where a pointer leads: into `--pagination.url`, into `--data`, or to the address that it is. */
function followed(pointer: Json, first: Ask, context: HttpContext): (ask: Ask, answered: URL) => Ask {
  const data = context.withPointer('data', pointer) ?? undefined
  const usesData = data !== undefined && stringifyJson(data) !== stringifyJson(first.data ?? null)
  const written = context.withPointer('pagination.url', pointer)
  return (ask, answered) => {
    if (typeof written === 'string') {
      const url = new URL(written)
      const isChosen = typeof pointer === 'string' && isAt(pointer, url)
      return { ...first, url, data, foreign: isChosen && isForeign(url, first.url) }
    }
    if (usesData) return { ...ask, data }
    const text = textOf(pointer)
    if (ADDRESS.test(text)) return addressed(text, answered, first)
    throw new CommandFailure(
      'pagination_pointer',
      `The pointer to the next page is ${stringifyJson(text.slice(0, 80))}, which is no address.`,
      {
        hint: 'Say where it goes: --pagination.url "https://…?cursor=$pagination.next$", or use $pagination.next$ in --data.',
      },
    )
  }
}

const isAt = (pointer: string, url: URL): boolean =>
  URL.canParse(pointer) && new URL(pointer).origin === url.origin

function addressed(text: string, base: URL, first: Ask): Ask {
  if (!URL.canParse(text, base.href))
    throw new CommandFailure('pagination_pointer', `The address of the next page cannot be read: ${text}`)
  const url = new URL(text, base)
  return { ...first, url, foreign: isForeign(url, first.url) }
}

/** Whether headers that were meant for one address must not go to another. The same host may turn to https. */
function isForeign(url: URL, first: URL): boolean {
  const isUpgrade = url.protocol === 'https:' && url.hostname === first.hostname && url.port === first.port
  return url.origin !== first.origin && !isUpgrade
}

function linkPager(first: Ask): Pager {
  const seen = new Set([first.url.href])
  return {
    next: ({ response }) => {
      const link = nextLink(response.header('link') ?? '')
      if (!link) return undefined
      const ask = addressed(link, response.url, first)
      if (seen.has(ask.url.href)) return undefined
      seen.add(ask.url.href)
      return ask
    },
  }
}

/** Counts a parameter: in `--data` or `--form` if they have it, else in the address. */
function counter(
  name: string,
  first: Ask,
  start: number,
  step: (page: Page) => number,
  { warn }: HttpContext,
): Pager {
  let count = readCount(parameterIn(first, name), name) ?? start
  return {
    next: (page, ask) => {
      count += step(page)
      return withParameter(ask, name, count)
    },
    isPastEnd: (page, before) => {
      if (itemCount(page.content) === 0) return true
      if (!page.response.bytes.equals(before.response.bytes)) return false
      warn(
        'pagination_repeated',
        `Counting ${name} up gave the same page again, so it was taken as the end. Does the address know this parameter?`,
      )
      return true
    },
  }
}

function parameterIn({ url, data, form }: Ask, name: string): Json | undefined {
  if (data !== undefined && isRow(data) && Object.hasOwn(data, name)) return data[name]
  if (form !== undefined && isRow(form) && Object.hasOwn(form, name)) return form[name]
  return url.searchParams.get(name) ?? undefined
}

function readCount(value: Json | undefined, name: string): number | undefined {
  if (value === undefined || value === null) return undefined
  const count = Number(value)
  if (Number.isSafeInteger(count)) return count
  throw new CommandFailure(
    'pagination_start',
    `${name} begins at ${textOf(value)}, which cannot be counted on.`,
  )
}

function withParameter(ask: Ask, name: string, count: number): Ask {
  const { data, form } = ask
  if (data !== undefined && isRow(data) && Object.hasOwn(data, name))
    return { ...ask, data: { ...data, [name]: count } }
  if (form !== undefined && isRow(form) && Object.hasOwn(form, name))
    return { ...ask, form: { ...form, [name]: count } }
  const url = new URL(ask.url)
  url.searchParams.set(name, String(count))
  return { ...ask, url }
}
