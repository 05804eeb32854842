import { NetworkHarness } from '/work/main/test/commands/network-harness.ts'
import { commands } from '/work/main/src/commands/index.ts'
import api from '/work/main/src/commands/api.ts'
import { startDemo } from '/work/main/demo/server.ts'
const demo = await startDemo({port: 0})
let more: any[] = []
for (const n of ['graphql','soap']) try { more.push((await import(`/work/main/src/commands/${n}.ts`)).default) } catch (e) { console.log(n, (e as Error).message) }
const h = new NetworkHarness([...commands.filter(c => !['api','graphql','soap'].includes(c.name)), api, ...more]); await h.open()
for (const q of process.argv.slice(2)) {
  try { const r = await h.run(q.replaceAll('DEMO', demo.url)); console.log(q, '\n ', r.rows.length, JSON.stringify(r.rows, (k,v)=>typeof v==='bigint'?v+'n':v).slice(0,700), r.warnings) }
  catch (e: any) { console.log(q, '\n  FAILED', e.code, e.message, e.hint ?? '', process.env.STACK ? e.stack : '') }
}
await h.close(); await demo.close()
