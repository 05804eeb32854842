import type { Call } from './call.ts'
import { centsOn, findCategory, selectProducts } from './data.ts'
import { jsonReply, Refusal, type Reply } from './reply.ts'
import type { Router } from './router.ts'
import type { Job, State } from './state.ts'

const PENDING_TIMES = 2
const HOOKS_KEPT = 100

/** Interfaces that do more than give a list: jobs that take a while, a place to send things to. */
export function serviceRoutes(router: Router, state: State): void {
  router.area('Jobs and receivers')
  router.post(
    '/api/jobs',
    'starts a job that counts a category, `{"category": "laptops"}`: 202 with its `id` and `Location`',
    call => startJob(call, state),
  )
  router.get(
    '/api/jobs/:id',
    'the job: `pending` twice, then `done` with a `result`',
    call => jobStatus(call, state),
    '/api/jobs/job-1',
  )
  router.post('/hooks/:name', 'takes any JSON and keeps the last 100 bodies', call => receive(call, state))
  router.get(
    '/hooks/:name',
    'what was posted there',
    call => jsonReply(state.hooks.get(call.params.name!) ?? []),
    '/hooks/test',
  )
}

async function startJob(call: Call, state: State): Promise<Reply> {
  const { category = 'laptops' } = await call.fields()
  if (!findCategory(category)) throw new Refusal(400, `there is no category ${category}`)
  const job: Job = { id: `job-${state.count()}`, category, asked: 0 }
  state.jobs.set(job.id, job)
  const url = `${call.origin}/api/jobs/${job.id}`
  return jsonReply({ id: job.id, status: 'pending', url }, { location: url }, 202)
}

function jobStatus(call: Call, state: State): Reply {
  const job = state.jobs.get(call.params.id!)
  if (!job) throw new Refusal(404, `there is no job ${call.params.id}`)
  const done = ++job.asked > PENDING_TIMES
  const progress = Math.min(100, Math.round((job.asked / (PENDING_TIMES + 1)) * 100))
  const { id } = job
  if (!done) return jsonReply({ id, status: 'pending', progress }, { 'retry-after': '1' })
  const cents = selectProducts({ category: job.category }).map(product => centsOn(product, state.dayOf(call)))
  const result = {
    category: job.category,
    products: cents.length,
    cheapest: Math.min(...cents) / 100,
    dearest: Math.max(...cents) / 100,
  }
  return jsonReply({ id, status: 'done', progress, result })
}

async function receive(call: Call, state: State): Promise<Reply> {
  const name = call.params.name!
  const body = await call.json()
  const kept = [...(state.hooks.get(name) ?? []), body].slice(-HOOKS_KEPT)
  state.hooks.set(name, kept)
  return jsonReply({ received: true, kept: kept.length }, {}, 202)
}
