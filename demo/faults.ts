import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from './call.ts'
import { markup } from './markup.ts'
import { pageReply } from './page.ts'
import { jsonReply, Refusal, type Reply, redirectReply, reply } from './reply.ts'
import type { Router } from './router.ts'
import type { State } from './state.ts'

const LONGEST_WAIT_MS = 60_000
const FAILURES = 2
const LIMIT = 5
const WINDOW_MS = 1000

export function faultRoutes(router: Router, state: State): void {
  router.area('Faults')
  router.any('/slow', 'answers after `?ms=500`', slow, '/slow?ms=500')
  router.any('/flaky/:key', '503 twice for each key, then works', call => flaky(call, state), '/flaky/one')
  router.any(
    '/limited',
    `${LIMIT} requests a second for everybody together, then 429 with \`Retry-After: 1\``,
    () => limited(state),
  )
  router.get(
    '/broken',
    'a body that is cut off: `?how=length` (the default), `chunked`, or `reset` (no answer at all)',
    broken,
  )
  router.any('/status/:code', 'any status from 200 to 599', status, '/status/418')
  router.get(
    '/redirect/:times',
    'redirects that many times (at most 50), then answers',
    redirect,
    '/redirect/3',
  )
  router.get('/loop', 'redirects to itself for ever', () => redirectReply('/loop', {}, 302))
  router.get('/bad.json', 'JSON that ends in the middle', () =>
    reply('application/json; charset=utf-8', '{"items": [{"id": 1, "name": "Kestrel One"}, {"id": 2, "na'),
  )
  router.get('/bad.xml', 'XML with tags that do not match', () =>
    reply(
      'application/xml; charset=utf-8',
      '<catalog>\n<product id="1"><name>Kestrel One</product>\n</catalog>\n',
    ),
  )
}

async function slow(call: Call): Promise<Reply | undefined> {
  const ms = call.number('ms', 500, 0, LONGEST_WAIT_MS)
  const gone = new AbortController()
  call.response.once('close', () => gone.abort())
  try {
    await sleep(ms, undefined, { signal: gone.signal })
  } catch {
    // The visitor left, or the site is closing.
    return undefined
  }
  if (call.wantsPage)
    return pageReply(call, { title: 'Slow', body: markup`<h1>Slow</h1><p id="waited">Waited ${ms} ms.</p>` })
  return jsonReply({ waited: ms })
}

function flaky({ params }: Call, state: State): Reply {
  const key = params.key!
  const attempt = (state.flaky.get(key) ?? 0) + 1
  state.flaky.set(key, attempt)
  if (attempt <= FAILURES) throw new Refusal(503, `attempt ${attempt} fails, as the first ${FAILURES} do`)
  return jsonReply({ key, attempt, works: true })
}

function limited(state: State): Reply {
  const now = performance.now()
  state.recent = state.recent.filter(time => now - time < WINDOW_MS)
  if (state.recent.length >= LIMIT)
    throw new Refusal(429, `more than ${LIMIT} requests a second`, { 'retry-after': '1' })
  state.recent.push(now)
  return jsonReply({ allowed: true, left: LIMIT - state.recent.length })
}

function broken(call: Call): undefined {
  const { response } = call
  const how = call.query('how') ?? 'length'
  if (how === 'reset') {
    call.request.socket.destroy()
    return
  }
  if (how !== 'length' && how !== 'chunked')
    throw new Refusal(400, `how must be length, chunked or reset, not "${how}"`)
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(how === 'length' && { 'content-length': 1000 }),
  })
  // Ended only once the beginning is on its way: what arrives is a part of a body, not an empty answer.
  response.write('[{"id": 1, "name": "Kestrel One"},', () => response.destroy())
}

function status({ params }: Call): Reply {
  const code = params.code!
  if (!/^[2-5]\d\d$/.test(code)) throw new Refusal(404, `${code} is not a status from 200 to 599`)
  return jsonReply({ status: Number(code) }, {}, Number(code))
}

function redirect({ params }: Call): Reply {
  const times = params.times!
  if (!/^\d{1,2}$/.test(times) || Number(times) > 50)
    throw new Refusal(404, `${times} is not a number from 0 to 50`)
  return Number(times) > 0
    ? redirectReply(`/redirect/${Number(times) - 1}`, {}, 302)
    : jsonReply({ redirected: true })
}
