import type { Call } from './call.ts'
import { type Markup, markup } from './markup.ts'
import { pageReply, SHOP_NAME } from './page.ts'
import { jsonReply, type Reply, redirectReply } from './reply.ts'
import type { Route, Router } from './router.ts'
import type { State } from './state.ts'

const SHOWN = [9, 5, 14, 10]

export function homeRoutes(router: Router, state: State): void {
  router.area('The site itself')
  router.get('/', 'this list of addresses', call => homePage(call, router.routes, state))
  router.get('/day', 'the day whose prices are shown', () => jsonReply({ day: state.day }))
  router.post(
    '/day',
    'sets it, `{"day": 3}`: about one price in six changes each day; `?day=N` does it for one request',
    call => setDay(call, state),
  )
  router.post('/reset', 'day 0, and no memory of sessions, jobs, hooks, failures', call => {
    state.reset()
    return call.wantsPage ? redirectReply('/') : jsonReply({ reset: true })
  })
}

async function setDay(call: Call, state: State): Promise<Reply> {
  const { day } = await call.fields()
  state.setDay(day)
  return call.wantsPage ? redirectReply('/') : jsonReply({ day: state.day })
}

function queriesFor(origin: string): { about: string; query: string }[] {
  return [
    {
      about: 'The shop window, as a table',
      query: `open ${origin}/shop --selector ".product" || table innerText attributes.data-id`,
    },
    {
      about: 'The five cheapest laptops',
      query: `api get ${origin}/api/products?category=laptops&size=24 || normalize items || sort price || head 5 || table name price rating`,
    },
    {
      about: 'All pages of the list',
      query: `api get ${origin}/api/products --pagination.next next --pagination.max 0 || normalize items || stats "count() as n, avg(price)" --by category`,
    },
    {
      about: 'Orders by week',
      query: `api get ${origin}/api/orders || timechart 7d "sum(total)" --time placed`,
    },
    {
      about: 'What changed since the last time',
      query: `api get ${origin}/data/products.csv || diff prices --key id`,
    },
  ]
}

function homePage(call: Call, routes: readonly Route[], state: State): Reply {
  const areas = [...Map.groupBy(routes, ({ area }) => area)]
  const body = markup`<section class="hero"><div>
<h1>A small shop to practise on</h1>
<p>${SHOP_NAME} is the demo site of Forage: 120 products with pages, pictures, prices and reviews, the same data in every format, and some addresses that misbehave on purpose. It is the same on every machine and needs no internet.</p>
<p><a class="button" href="/shop">Visit the shop</a></p>
</div><div class="collage" aria-hidden="true">${SHOWN.map(id => markup`<img src="/pictures/${id}.svg" alt="" width="400" height="300">`)}</div></section>
<section class="area"><h2>Queries to try</h2><ul class="queries">
${queriesFor(call.origin).map(
  ({ about, query }) => markup`<li>${about}<code>${query}</code></li>
`,
)}</ul></section>
<section class="area"><h2>Prices change</h2><div class="panel"><p>Today is day <strong id="day">${state.day}</strong>. On the next one about every sixth product has another price.</p>
<form method="post" action="/day"><input type="hidden" name="day" value="${state.day + 1}"><button type="submit">Go to day ${state.day + 1}</button></form></div></section>
${areas.map(([area, list]) => addressTable(area, list))}`
  return pageReply(call, { title: 'A small shop to practise on', body })
}

function addressTable(area: string, routes: Route[]): Markup {
  return markup`<section class="area"><h2>${area}</h2><div class="scroll"><table class="addresses"><tbody>
${routes.map(
  route => markup`<tr><td>${addressCell(route)}</td><td>${inlineCode(route.about)}</td></tr>
`,
)}</tbody></table></div></section>
`
}

/** Links that fail on purpose are marked as not to be followed: a crawl of the shop should find a shop. */
function addressCell({ area, method, path, example }: Route): Markup {
  const name = markup`<code>${path.replace(/:(\w+)/g, (_, word: string) => word.toUpperCase())}</code>`
  if (method === 'POST') return markup`<span class="method">POST</span> ${name}`
  return markup`<a href="${example}"${area === 'Faults' && markup` rel="nofollow"`}>${name}</a>`
}

function inlineCode(text: string): (Markup | string)[] {
  return text.split('`').map((piece, index) => (index % 2 ? markup`<code>${piece}</code>` : piece))
}
