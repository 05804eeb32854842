import type { Call } from './call.ts'
import { formatCents } from './data.ts'
import { type Markup, markup } from './markup.ts'
import { orders } from './orders.ts'
import { pageReply } from './page.ts'
import { jsonReply, Refusal, type Reply, redirectReply } from './reply.ts'
import type { Router } from './router.ts'
import type { State } from './state.ts'

export const USER = 'demo'
export const PASSWORD = 'forage'

const SESSION = 'session'
const FORM = 'login_form'
const CUSTOMER = 'Hana'

/** What a shop's script would remember, so that both storages have something in them. */
const ACCOUNT_SCRIPT = `
localStorage.setItem('user', document.querySelector('#user').textContent)
localStorage.setItem('visits', String(Number(localStorage.getItem('visits') ?? 0) + 1))
sessionStorage.setItem('signedIn', 'true')
`
const LOGIN_SCRIPT = `
localStorage.setItem('theme', 'light')
sessionStorage.setItem('lastPage', location.pathname)
`

export function loginRoutes(router: Router, state: State): void {
  router.area('Signing in')
  router.get(
    '/login',
    `the form: user \`${USER}\`, password \`${PASSWORD}\`, a hidden field \`token\` that belongs to a cookie`,
    call => formPage(call, state),
  )
  router.post('/login', 'checks the three, sets the cookie `session`, goes to `/account`', call =>
    signIn(call, state),
  )
  router.get('/account', 'behind the form; its script writes both storages', call => accountPage(call, state))
  router.get('/api/account', 'the same as JSON; 401 without the cookie', call => accountJson(call, state))
  router.post('/logout', 'ends the session', call => signOut(call, state))
}

function formPage(call: Call, state: State, problem?: string): Reply {
  const token = state.token('form')
  state.loginTokens.set(token, true)
  const body = markup`<form class="panel narrow" method="post" action="/login">
<h1>Sign in</h1>
<p class="soft">Welcome back. Your orders are waiting.</p>
${problem !== undefined && markup`<p class="note bad" role="alert">${problem}</p>`}
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="next" value="${localPath(call.query('next'))}">
<label for="user">User</label><input id="user" name="user" autocomplete="username" required>
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<label class="check"><input type="checkbox" name="remember" value="yes"> Keep me signed in</label>
<button id="submit" type="submit">Sign in</button>
<p class="note">This is a demo: the user is <code>${USER}</code>, the password <code>${PASSWORD}</code>.</p>
</form>`
  const headers = { 'set-cookie': cookie(FORM, token), 'cache-control': 'no-store' }
  return pageReply(call, {
    title: 'Sign in',
    body,
    headers,
    script: LOGIN_SCRIPT,
    status: problem === undefined ? 200 : 401,
  })
}

async function signIn(call: Call, state: State): Promise<Reply> {
  const { user, password, token = '', next, remember } = await call.fields()
  // Each form can be sent once, by the browser that it was given to.
  if (call.cookie(FORM) !== token || !state.loginTokens.delete(token)) {
    throw new Refusal(
      403,
      'the form has expired: open /login again and send its hidden field with its cookie',
    )
  }
  if (user !== USER || password !== PASSWORD)
    return formPage(call, state, 'The user or the password is wrong.')
  const id = state.token('session')
  state.sessions.set(id, user)
  const session = cookie(SESSION, id) + (remember === 'yes' ? '; Max-Age=2592000' : '')
  return redirectReply(localPath(next), { 'set-cookie': [session, `${FORM}=; Path=/; Max-Age=0`] })
}

function accountPage(call: Call, state: State): Reply {
  const user = userOf(call, state)
  if (user === undefined) return redirectReply('/login?next=/account')
  const body = markup`<div class="head"><div><h1>Your account</h1><p>Signed in as <strong id="user">${user}</strong>.</p></div><form method="post" action="/logout"><button class="plain" type="submit">Sign out</button></form></div>
<h2>Latest orders</h2>
<div class="scroll"><table class="orders"><thead><tr><th>Order</th><th>Date</th><th>Product</th><th>Status</th><th class="number">Total</th></tr></thead><tbody>
${ownOrders().map(orderRow)}</tbody></table></div>`
  return pageReply(call, {
    title: 'Your account',
    body,
    script: ACCOUNT_SCRIPT,
    headers: { 'cache-control': 'no-store' },
  })
}

function orderRow(order: (typeof orders)[number]): Markup {
  return markup`<tr class="order"><td>${order.id}</td><td>${order.placed.slice(0, 10)}</td><td><a href="/shop/product/${order.productId}">${order.product}</a></td><td>${order.status}</td><td class="number">${formatCents(Math.round(order.total * 100))}</td></tr>
`
}

function accountJson(call: Call, state: State): Reply {
  const user = userOf(call, state)
  if (user === undefined) throw new Refusal(401, 'sign in at /login first and send the cookie')
  return jsonReply({ user, orders: ownOrders() })
}

function signOut(call: Call, state: State): Reply {
  state.sessions.delete(call.cookie(SESSION) ?? '')
  return redirectReply('/login', { 'set-cookie': `${SESSION}=; Path=/; Max-Age=0` })
}

function userOf(call: Call, state: State): string | undefined {
  return state.sessions.get(call.cookie(SESSION) ?? '')
}

function ownOrders() {
  return orders.filter(({ customer }) => customer === CUSTOMER).slice(-10)
}

function cookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax`
}

/** Only a path of this site: a whole address would send a visitor away. */
function localPath(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])[\w/?=&.-]*$/.test(path) ? path : '/account'
}
