import type { Call } from './call.ts'
import { categories } from './data.ts'
import { Markup, markup } from './markup.ts'
import { jsonReply, type Refusal, type Reply, reply } from './reply.ts'
import type { Router } from './router.ts'
import { STYLESHEET } from './style.ts'

export const SHOP_NAME = 'Hedgerow'

const LEAF = new Markup(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="30" height="30" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#2f6b4a"/><path d="M8 24c0-10 6-15 17-16 0 11-5 17-13 16m-4 1c3-6 6-9 11-12" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/></svg>',
)

/** The number beside "Basket", on every page, and the button that raises it. The basket lives in the browser alone. */
const SHOP_SCRIPT = `
const read = () => JSON.parse(localStorage.getItem('basket') ?? '[]')
const show = () => { document.querySelector('#basket-count').textContent = read().length }
document.querySelector('#add')?.addEventListener('click', event => {
  localStorage.setItem('basket', JSON.stringify([...read(), Number(event.currentTarget.dataset.id)]))
  show()
})
show()
`

export interface Page {
  title: string
  body: Markup
  /** Elements for the head: links to the next page, feeds, data. */
  head?: Markup
  script?: string
  status?: number
  headers?: Reply['headers']
}

export function pageReply(call: Call, page: Page): Reply {
  return reply('text/html; charset=utf-8', layout(call, page).text, page.headers, page.status)
}

function layout(call: Call, { title, body, head, script }: Page): Markup {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${SHOP_NAME}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
<link rel="alternate" type="application/rss+xml" title="New products" href="/feed.rss">
${head}
</head>
<body>
<header class="top"><div class="wrap">
<a class="brand" href="/">${LEAF} ${SHOP_NAME}</a>
<nav aria-label="Categories">
${navigation(call)}
</nav>
<form class="search" action="/shop" role="search"><input type="search" name="q" placeholder="Search the shop" aria-label="Search the shop" value="${call.path === '/shop' ? call.query('q') : ''}"></form>
<div class="side"><a href="/account">Account</a><a href="/basket">Basket <output id="basket-count">0</output></a></div>
</div></header>
<main class="wrap">
${body}
</main>
<footer><div class="wrap"><span>${SHOP_NAME} is the demo site of Forage. Nothing here is for sale.</span><a href="/">All addresses</a><a href="/feed.rss">Feed</a><a href="/sitemap.xml">Sitemap</a><a href="/private">Private</a></div></footer>
<script src="/shop.js"></script>
${script !== undefined && new Markup(`<script>${script}</script>`)}
</body>
</html>
`
}

function navigation(call: Call): Markup[] {
  const links = [
    { path: '/shop', title: 'All' },
    ...categories.map(({ slug, title }) => ({ path: `/shop/${slug}`, title })),
  ]
  return links.map(
    ({
      path,
      title,
    }) => markup`<a href="${path}"${call.path === path && markup` aria-current="page"`}>${title}</a>
`,
  )
}

/** A page for a browser, a JSON object for everybody else. */
export function refusalReply(call: Call, refusal: Refusal): Reply {
  const { status, message, headers } = refusal
  if (!call.wantsPage) return jsonReply({ status, error: message }, headers, status)
  const body = markup`<div class="panel narrow"><h1>${status}</h1><p>Sorry: ${message}.</p><p><a class="button" href="/shop">Back to the shop</a></p></div>`
  return pageReply(call, { title: `${status}`, body, status, headers })
}

export function pageParts(router: Router): void {
  const keep = { 'cache-control': 'max-age=3600' }
  router.area('Parts of the pages')
  router.get('/style.css', 'the one stylesheet', () => reply('text/css; charset=utf-8', STYLESHEET, keep))
  router.get('/shop.js', 'the basket, kept in localStorage', () =>
    reply('text/javascript; charset=utf-8', SHOP_SCRIPT, keep),
  )
  router.get('/favicon.svg', 'the leaf', () => reply('image/svg+xml', LEAF.text, keep))
}
