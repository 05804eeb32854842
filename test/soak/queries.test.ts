import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { CrashingForage } from '../support/crashing.ts'
import { FanOut } from '../support/fan-out.ts'
import { temporaryFolder } from '../support/temporary.ts'

const QUERIES = 15

test('fan-outs survive kill -9 at any moment', async t => {
  let crashes = 0
  for (let query = 0; query < QUERIES; query++) {
    const forage = new CrashingForage(join(temporaryFolder(), 'data'))
    const fanOut = await FanOut.begin(forage)
    for (let round = 0; round < 9; round++) {
      // Every third one gracefully: three crashes in a row would be taken for the query's own doing.
      const signal = round % 3 === 2 ? 'SIGTERM' : 'SIGKILL'
      if (!(await fanOut.interrupt(signal, Math.floor(Math.random() ** 2 * 400)))) break
      crashes++
    }
    await fanOut.verify()
    assert.equal(await forage.end('SIGTERM'), 0)
  }
  t.diagnostic(`${crashes} interruptions of ${QUERIES} queries`)
})
