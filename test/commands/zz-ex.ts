import { isDeepStrictEqual } from 'node:util'
import { NetworkHarness } from './network-harness.ts'
import { commands } from '../../src/commands/index.ts'
import api from '../../src/commands/api.ts'
import graphql from '../../src/commands/graphql.ts'
import soap from '../../src/commands/soap.ts'
import { stringifyJson } from '../../src/language/json.ts'
import { startDemo } from '../../demo/server.ts'
const demo = await startDemo({port: 0})
const mine = [api, graphql, soap]
const h = new NetworkHarness([...commands.filter(c => !['api','graphql','soap'].includes(c.name)), ...mine]); await h.open()
for (const c of mine) for (const e of c.examples) {
  const q = ((e.input ? `seed ${stringifyJson(e.input as any)} || ` : '') + e.query).replaceAll('http://localhost:1969', demo.url)
  try { const r = await h.run(q); if (!isDeepStrictEqual(r.rows, e.output)) console.log('DIFF', q, '\n', r.rows, e.output); else console.log('ok', e.title) }
  catch (err: any) { console.log('FAILED', q, err.code, err.message, err.stack?.slice(0,300)) }
}
await h.close(); await demo.close()
