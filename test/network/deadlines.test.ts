import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Deadlines } from '../../src/network/deadlines.ts'

test('whoever is late is told, in the order of the deadlines and once; whoever left is not', async () => {
  const deadlines = new Deadlines()
  const told: string[] = []
  const end = Promise.withResolvers<void>()
  const watch = (name: string, ms: number): number => {
    const now = performance.now()
    const one = {
      dueAt: now + ms,
      late: () => {
        one.dueAt = Number.POSITIVE_INFINITY
        told.push(name)
        if (name === 'last') end.resolve()
      },
    }
    return deadlines.watch(one, now)
  }
  watch('second', 60)
  watch('last', 120)
  deadlines.leave(watch('left', 80))
  watch('first', 20)
  watch('never', 2 ** 40)
  // The deadlines keep no process alive; whoever is watched does.
  const awake = setInterval(() => {}, 1000)
  await end.promise
  clearInterval(awake)
  assert.deepEqual(told, ['first', 'second', 'last'])
})
