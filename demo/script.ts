import type { Call } from './call.ts'
import { markup } from './markup.ts'
import { pageReply } from './page.ts'
import { jsonReply, type Reply, reply } from './reply.ts'
import type { Router } from './router.ts'

/** Draws products from the JSON API into the page, element by element. */
const DRAW = `
const draw = (list, item) => {
  const card = document.createElement('article')
  card.className = 'product'
  card.dataset.id = item.id
  card.innerHTML = '<a class="picture"><img width="400" height="300"></a><p class="category"></p><h2 class="name"><a class="link"></a></h2><p class="rating"></p><div class="buy"><span class="price"></span></div>'
  card.querySelector('img').src = '/pictures/' + item.id + '.svg'
  card.querySelector('img').alt = item.name
  card.querySelector('.category').textContent = item.category
  card.querySelector('.link').textContent = item.name
  card.querySelectorAll('a').forEach(link => { link.href = '/shop/product/' + item.id })
  card.querySelector('.rating').textContent = '★ ' + item.rating.toFixed(1)
  card.querySelector('.price').textContent = item.price.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
  list.append(card)
}
`

const SCROLL = `${DRAW}
const list = document.querySelector('.products')
const end = document.querySelector('#end')
let next = '/api/products?size=12'
let busy = false
const more = async () => {
  if (busy || !next) return
  busy = true
  const page = await (await fetch(next)).json()
  page.items.forEach(item => draw(list, item))
  next = page.next
  busy = false
  if (!next) { end.textContent = 'That was everything.'; end.classList.add('done'); watcher.disconnect() }
  else { watcher.unobserve(end); watcher.observe(end) }
}
const watcher = new IntersectionObserver(entries => { if (entries.some(entry => entry.isIntersecting)) more() })
watcher.observe(end)
`

const BASKET = `${DRAW}
const list = document.querySelector('.products')
const items = JSON.parse(localStorage.getItem('basket') ?? '[]')
const found = await Promise.all(items.map(async id => (await fetch('/api/products/' + id)).json()))
found.forEach(item => draw(list, item))
const total = found.reduce((sum, item) => sum + item.price, 0)
document.querySelector('#total').textContent = found.length ? found.length + ' in all, ' + total.toLocaleString('en-US', { style: 'currency', currency: 'USD' }) : 'Your basket is empty.'
`

const TRACKER = `
new Image().src = new URL('/vendor/pixel.gif?page=' + encodeURIComponent(location.pathname), document.currentScript.src)
fetch(new URL('/vendor/collect', document.currentScript.src), { method: 'POST', body: JSON.stringify({ event: 'view', path: location.pathname }) })
  .then(answer => answer.json())
  .then(({ ok }) => { document.querySelector('#tracked').textContent = ok ? 'You were counted.' : 'You were not counted.' })
`

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const LONGEST_DELAY_MS = 60_000

export function scriptRoutes(router: Router): void {
  router.area('Pages made by script')
  router.get('/script', 'twelve products that appear after `?delay=300` ms', scriptPage)
  router.get('/scroll', 'all products, twelve more whenever the end comes into view', scrollPage)
  router.get('/basket', 'the basket, read from localStorage', basketPage)
  router.get(
    '/thirdparty',
    'a page with requests to another host name (localhost, or 127.0.0.1), one of which fails',
    thirdPartyPage,
  )
  router.get('/vendor/tracker.js', 'what that page loads from there', () =>
    reply('text/javascript; charset=utf-8', TRACKER, ANYONE),
  )
  router.get('/vendor/pixel.gif', 'one transparent pixel', () => reply('image/gif', PIXEL, ANYONE))
  router.post('/vendor/collect', "takes the tracker's report", async call => {
    const body = await call.body()
    return jsonReply({ ok: body.length > 0 }, ANYONE)
  })
}

const ANYONE = { 'access-control-allow-origin': '*' }

function scriptPage(call: Call): Reply {
  const delay = call.number('delay', 300, 0, LONGEST_DELAY_MS)
  const script = `${DRAW}
setTimeout(async () => {
  const { items } = await (await fetch('/api/products?size=12')).json()
  document.querySelector('#loading').remove()
  items.forEach(item => draw(document.querySelector('.products'), item))
  document.body.dataset.ready = 'true'
}, ${delay})
`
  const body = markup`<h1>Made by script</h1><p id="loading">Loading …</p><div class="products" id="app"></div>`
  return pageReply(call, { title: 'Made by script', body, script })
}

function scrollPage(call: Call): Reply {
  const body = markup`<h1>Keep scrolling</h1><div class="products"></div><p id="end" class="soft">More …</p>`
  return pageReply(call, { title: 'Keep scrolling', body, script: SCROLL })
}

function basketPage(call: Call): Reply {
  const body = markup`<h1>Basket</h1><p id="total" class="soft"></p><div class="products"></div>`
  return pageReply(call, { title: 'Basket', body, script: `(async () => {${BASKET}})()` })
}

/** The same server by its other name: to a browser that is another site. */
function thirdPartyPage(call: Call): Reply {
  const other = new URL(call.url.origin)
  other.hostname = other.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  const from = other.origin
  const body = markup`<h1>Third parties</h1><p id="tracked">Nobody has counted you yet.</p>
<img src="${from}/pictures/7.svg" alt="A picture from ${other.host}" width="400" height="300">
<script src="${from}/vendor/tracker.js"></script><script src="${from}/vendor/missing.js"></script>`
  return pageReply(call, { title: 'Third parties', body })
}
