import type { Call } from './call.ts'
import { categories, centsOn, formatCents, type Product, products } from './data.ts'
import { type Markup, markup } from './markup.ts'
import { pageReply, SHOP_NAME } from './page.ts'
import { type Reply, reply, xmlReply } from './reply.ts'
import type { Router } from './router.ts'
import type { State } from './state.ts'

const FEED_LENGTH = 20
const SHOP_PAGES = [2, 3, 4, 5]

export function feedRoutes(router: Router, state: State): void {
  router.area('Feeds, sitemap, robots')
  router.get('/feed.rss', 'RSS 2.0 of the 20 newest products', call => rss(call, state.dayOf(call)))
  router.get('/feed.atom', 'the same as Atom', call => atom(call, state.dayOf(call)))
  router.get('/sitemap.xml', 'a sitemap index of the next two', call => sitemapIndex(call))
  router.get('/sitemap-pages.xml', 'the pages of the shop', call => sitemap(pageAddresses(call)))
  router.get('/sitemap-products.xml', 'the product pages', call =>
    sitemap(products.map(({ id, added }) => ({ url: `${call.origin}/shop/product/${id}`, changed: added }))),
  )
  router.get('/robots.txt', 'forbids `/private`', robots)
  router.get('/private', 'a page that robots.txt forbids', call =>
    pageReply(call, {
      title: 'Private',
      body: markup`<h1>Private</h1><p>A polite crawler does not come here: robots.txt says so.</p>`,
    }),
  )
}

function newest(): Product[] {
  return products.toSorted((a, b) => b.added.localeCompare(a.added) || a.id - b.id).slice(0, FEED_LENGTH)
}

function rss(call: Call, day: number): Reply {
  const list = newest()
  const document = markup`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel><title>${SHOP_NAME}: new products</title><link>${call.origin}/shop</link><description>The newest on our shelves.</description><language>en</language>
<lastBuildDate>${rfcDate(list[0]!.added)}</lastBuildDate>
<atom:link href="${call.origin}/feed.rss" rel="self" type="application/rss+xml"/>
${list.map(product => rssItem(call, product, day))}</channel></rss>`
  return xmlReply(document, 'application/rss+xml; charset=utf-8')
}

function rssItem(call: Call, product: Product, day: number): Markup {
  const link = `${call.origin}/shop/product/${product.id}`
  return markup`<item><title>${product.name}</title><link>${link}</link><guid isPermaLink="true">${link}</guid><pubDate>${rfcDate(product.added)}</pubDate><category>${product.category.title}</category><description>${summary(product, day)}</description></item>
`
}

function atom(call: Call, day: number): Reply {
  const list = newest()
  const document = markup`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<title>${SHOP_NAME}: new products</title><id>${call.origin}/feed.atom</id><link rel="self" href="${call.origin}/feed.atom"/><link href="${call.origin}/shop"/><updated>${list[0]!.added}T00:00:00Z</updated><author><name>${SHOP_NAME}</name></author>
${list.map(product => atomEntry(call, product, day))}</feed>`
  return xmlReply(document, 'application/atom+xml; charset=utf-8')
}

function atomEntry(call: Call, product: Product, day: number): Markup {
  const link = `${call.origin}/shop/product/${product.id}`
  return markup`<entry><title>${product.name}</title><id>${link}</id><link rel="alternate" href="${link}"/><updated>${product.added}T00:00:00Z</updated><category term="${product.category.slug}"/><summary>${summary(product, day)}</summary></entry>
`
}

function summary(product: Product, day: number): string {
  return `${formatCents(centsOn(product, day))}. ${product.description}`
}

function rfcDate(date: string): string {
  return new Date(`${date}T00:00:00Z`).toUTCString()
}

interface Address {
  url: string
  changed?: string
}

function pageAddresses({ origin }: Call): Address[] {
  const lists = categories.flatMap(({ slug }) => [`/shop/${slug}`, `/shop/${slug}?page=2`])
  return ['/', '/shop', ...SHOP_PAGES.map(page => `/shop?page=${page}`), ...lists].map(path => ({
    url: origin + path,
  }))
}

function sitemapIndex({ origin }: Call): Reply {
  const entries = ['pages', 'products'].map(
    name => markup`<sitemap><loc>${origin}/sitemap-${name}.xml</loc></sitemap>`,
  )
  return xmlReply(
    markup`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</sitemapindex>`,
  )
}

function sitemap(addresses: Address[]): Reply {
  const entries = addresses.map(
    ({
      url,
      changed,
    }) => markup`<url><loc>${url}</loc>${changed !== undefined && markup`<lastmod>${changed}</lastmod>`}</url>
`,
  )
  return xmlReply(markup`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries}</urlset>`)
}

function robots({ origin }: Call): Reply {
  return reply(
    'text/plain; charset=utf-8',
    `User-agent: *\nDisallow: /private\n\nSitemap: ${origin}/sitemap.xml\n`,
  )
}
