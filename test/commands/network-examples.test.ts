import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startDemo } from '../../demo/server.ts'
import { commands } from '../../src/commands/index.ts'
import { stringifyJson } from '../../src/language/json.ts'
import { NetworkHarness } from './network-harness.ts'

/** The address that the examples are written with. */
const WRITTEN = 'http://localhost:1969'

const harness = new NetworkHarness()
const demo = await startDemo({ port: 0 })
before(async () => {
  await harness.open()
  const { credentials } = harness.secrets
  const oauth = {
    grantType: 'client_credentials',
    tokenUrl: `${demo.url}/oauth/token`,
    clientId: 'demo',
    clientSecret: 'forage',
  }
  await credentials.create({
    type: 'oauth',
    config: { credential: { name: 'demo' }, credentials: { oauth } },
  })
  await credentials.create({
    type: 'custom',
    config: { credential: { name: 'password' }, credentials: { custom: { value: 'forage' } } },
  })
})
after(async () => {
  await harness.close()
  await demo.close()
})
beforeEach(() => fetch(`${demo.url}/reset`, { method: 'POST' }))

/** What needs no more than the demo site; what needs a browser is run with one, in browser.test.ts. */
const names = new Set('api graphql soap oauth auth crawl sitemap feed prompt webhook'.split(' '))

for (const command of commands.filter(({ name }) => names.has(name))) {
  for (const [index, example] of command.examples.entries()) {
    if (example.query.includes('--browser')) continue
    test(`${command.name} ${index + 1}: ${example.title ?? example.query}`, async () => {
      const input = example.input ? `seed ${stringifyJson(example.input)} || ` : ''
      const { rows } = await harness.run(`${input}${example.query}`.replaceAll(WRITTEN, demo.url))
      const expected = JSON.parse(stringifyJson(example.output ?? []).replaceAll(WRITTEN, demo.url))
      assert.deepEqual(JSON.parse(stringifyJson(rows)), expected)
      assert.deepEqual(rows.map(Object.keys), expected.map(Object.keys), 'the order of the columns')
    })
  }
}
