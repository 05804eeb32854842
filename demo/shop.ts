import type { Call } from './call.ts'
import {
  type Category,
  centsOn,
  findCategory,
  findProduct,
  formatCents,
  type Product,
  type Review,
  selectProducts,
} from './data.ts'
import { jsonForScript, type Markup, markup } from './markup.ts'
import { pageReply } from './page.ts'
import { pictureRoutes } from './pictures.ts'
import { Refusal, type Reply } from './reply.ts'
import type { Router } from './router.ts'
import type { State } from './state.ts'

const PAGE_SIZE = 24
const CATEGORY_PAGE_SIZE = 12

export function shopRoutes(router: Router, state: State): void {
  router.area('Shop')
  router.get('/shop', 'all products, 24 on a page: `?page=2`, `?q=words`', call => listPage(call, state))
  router.get(
    '/shop/:category',
    'one category, 12 on a page: laptops, phones, headphones, cameras, keyboards',
    call => {
      const category = findCategory(call.params.category!)
      if (!category) throw new Refusal(404, `there is no category ${call.params.category}`)
      return listPage(call, state, category)
    },
    '/shop/laptops',
  )
  router.get(
    '/shop/product/:id',
    'a product: price, rating, description, specs table, reviews, JSON-LD',
    call => {
      const product = findProduct(call.params.id!)
      if (!product) throw new Refusal(404, `there is no product ${call.params.id}`)
      return productPage(call, product, state.dayOf(call))
    },
    '/shop/product/7',
  )
  pictureRoutes(router)
}

function listPage(call: Call, state: State, category?: Category): Reply {
  const day = state.dayOf(call)
  const words = call.query('q')
  const size = category ? CATEGORY_PAGE_SIZE : PAGE_SIZE
  const found = selectProducts({ category: category?.slug, words })
  const pages = Math.max(1, Math.ceil(found.length / size))
  const page = call.number('page', 1, 1, 1_000_000)
  if (page > pages) throw new Refusal(404, `there are ${pages} pages, not ${page}`)
  const title = category?.title ?? (words ? `Search: ${words}` : 'All products')
  const body = markup`<div class="head"><div><h1>${title}</h1><p>${category?.blurb ?? 'Everything on our shelves.'}</p></div><p class="count">${found.length} products</p></div>
<div class="products">
${found.slice((page - 1) * size, page * size).map(product => card(call, product, day))}
</div>
${pages > 1 && pagination(call, page, pages)}`
  return pageReply(call, {
    title: page > 1 ? `${title}, page ${page}` : title,
    body,
    head: neighbours(call, page, pages),
  })
}

function card(call: Call, product: Product, day: number): Markup {
  const link = withDay(call, `/shop/product/${product.id}`)
  const { name, category } = product
  return markup`<article class="product" data-id="${product.id}" data-category="${category.slug}">
<a class="picture" href="${link}" tabindex="-1" aria-hidden="true"><img src="/pictures/${product.id}.svg" alt="${name}" width="400" height="300"></a>
<p class="category"><a href="${withDay(call, `/shop/${category.slug}`)}">${category.title}</a></p>
<h2 class="name"><a class="link" href="${link}">${name}</a></h2>
${rating(product)}
<div class="buy">${price(product, day)}${stock(product)}</div>
</article>
`
}

function rating({ rating, reviews }: Product): Markup {
  return markup`<p class="rating" data-rating="${rating}"><span aria-hidden="true">★</span> ${rating.toFixed(1)} <span class="reviews">(${reviews.length} reviews)</span></p>`
}

function price(product: Product, day: number): Markup {
  const cents = centsOn(product, day)
  const reduced = cents < product.cents && markup` <s class="was">${formatCents(product.cents)}</s>`
  return markup`<span class="price">${formatCents(cents)}</span>${reduced}`
}

function stock({ stock }: Product): Markup {
  if (stock === 0) return markup` <span class="stock out">Sold out</span>`
  return stock < 5
    ? markup` <span class="stock low">Only ${stock} left</span>`
    : markup` <span class="stock">In stock</span>`
}

function pageLink(call: Call, page: number): string {
  const { pathname, search } = call.with({ page: page > 1 ? page : undefined })
  return pathname + search
}

function neighbours(call: Call, page: number, pages: number): Markup {
  return markup`${page > 1 && markup`<link rel="prev" href="${pageLink(call, page - 1)}">`}${page < pages && markup`<link rel="next" href="${pageLink(call, page + 1)}">`}`
}

function pagination(call: Call, page: number, pages: number): Markup {
  const numbers = Array.from({ length: pages }, (_, index) => index + 1)
  return markup`<nav class="pages" aria-label="Pages">
${page > 1 && markup`<a rel="prev" href="${pageLink(call, page - 1)}">Back</a>`}
${numbers.map(number => (number === page ? markup`<span aria-current="page">${number}</span>` : markup`<a href="${pageLink(call, number)}">${number}</a>`))}
${page < pages && markup`<a rel="next" class="next" href="${pageLink(call, page + 1)}">Next</a>`}
</nav>`
}

/** A visitor who looks at another day's prices stays on that day. */
function withDay(call: Call, path: string): string {
  const day = call.query('day')
  return day === undefined ? path : `${path}?day=${day}`
}

function productPage(call: Call, product: Product, day: number): Reply {
  const { name, category, attributes, description } = product
  const body = markup`<p class="crumbs"><a href="${withDay(call, '/shop')}">Shop</a> › <a class="category" href="${withDay(call, `/shop/${category.slug}`)}">${category.title}</a> › ${name}</p>
<article class="detail" data-id="${product.id}">
<div class="picture"><img src="/pictures/${product.id}.svg" alt="${name}" width="400" height="300"></div>
<div>
<p class="soft brand-name">${product.brand}</p>
<h1 class="name">${name}</h1>
${rating(product)}
<p class="description">${description.split('\n').map((line, index) => (index ? markup`<br>${line}` : line))}</p>
<div class="buy">${price(product, day)}${stock(product)}</div>
<button id="add" type="button" data-id="${product.id}"${product.stock === 0 && markup` disabled`}>Add to basket</button>
${attributes.tags.length > 0 && markup`<ul class="tags">${attributes.tags.map(tag => markup`<li>${tag}</li>`)}</ul>`}
</div>
</article>
<div class="columns">
<section><h2>Specifications</h2>${specsTable(product)}</section>
<section id="reviews"><h2>Reviews</h2>${product.reviews.map(review)}</section>
</div>`
  return pageReply(call, { title: name, body, head: linkedData(call, product, day) })
}

function specsTable({ specs, attributes, uid }: Product): Markup {
  const { color, grams, dimensions } = attributes
  const { width, height, depth } = dimensions
  const rows = {
    ...specs,
    Color: color,
    Weight: `${grams} g`,
    Size: `${width} × ${height} × ${depth} mm`,
    'Article number': String(uid),
  }
  return markup`<div class="scroll"><table class="specs"><tbody>
${Object.entries(rows).map(
  ([label, value]) => markup`<tr><th scope="row">${label}</th><td>${value}</td></tr>
`,
)}</tbody></table></div>`
}

function review({ author, stars, date, text }: Review): Markup {
  return markup`<div class="review"><span class="author">${author}</span> <span class="rating" aria-label="${stars} of 5 stars">${'★'.repeat(stars)}${'☆'.repeat(5 - stars)}</span> <time class="soft" datetime="${date}">${date}</time><p class="text">${text}</p></div>
`
}

function linkedData(call: Call, product: Product, day: number): Markup {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    sku: String(product.uid),
    image: `${call.origin}/pictures/${product.id}.svg`,
    offers: { '@type': 'Offer', priceCurrency: 'USD', price: (centsOn(product, day) / 100).toFixed(2) },
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: product.rating,
      reviewCount: product.reviews.length,
    },
  }
  return markup`<script type="application/ld+json">${jsonForScript(data)}</script>`
}
