import { commands } from '../src/commands/index.ts'
import { plan } from '../src/language/planner.ts'
import { MemoryLimiter } from '../src/services/gonogo/memory-limiter.ts'
import { PolicyBook } from '../src/services/gonogo/policy-book.ts'
import { type Figure, median } from './figure.ts'

const STAGES = [
  `filter "price > 10 and attributes.class == 'item'"`,
  'eval total "round(price * qty, 2)"',
  'sort total --order descending',
  'table id name total attributes.class',
  'stats "count() as n, avg(total)" --by name',
]

/** What happens before anything runs: a query is read and checked, a domain's policy is asked. */
export async function parsing(): Promise<Figure[]> {
  return [
    { name: 'plan of 100 stages', unit: 'ms', ours: planOf100(), target: { atMost: 1 } },
    { name: 'policy check', unit: 'µs', ours: policyCheck(), target: { atMost: 5 } },
  ]
}

function planOf100(): number {
  const query = ['range 1 10 n', ...Array.from({ length: 99 }, (_, at) => STAGES[at % STAGES.length]!)].join(
    ' || ',
  )
  const [problem] = plan(query, { commands }).diagnostics
  if (problem) throw new Error(problem.message)
  const times: number[] = []
  for (let round = 0; round < 2000; round++) {
    const began = performance.now()
    plan(query, { commands })
    times.push(performance.now() - began)
  }
  return median(times.slice(-1000))
}

/** Among a thousand policies, of which one holds; its windows are full most of the time. */
function policyCheck(): number {
  const book = new PolicyBook()
  const policy = { perSecond: 1000, perTenSeconds: 5000, perMinute: 20_000 }
  book.replace(
    Array.from({ length: 1000 }, (_, at) => ({ id: `${at}`, name: `${at}`, domain: `*.d${at}.com`, policy })),
  )
  const limiter = new MemoryLimiter(book)
  const checks = 200_000
  for (let at = 0; at < checks; at++) limiter.tryBook(`www.d${at % 50}.com`)
  const began = performance.now()
  for (let at = 0; at < checks; at++) limiter.tryBook(`www.d${at % 50}.com`)
  return ((performance.now() - began) * 1000) / checks
}
