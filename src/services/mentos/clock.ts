import { setTimeout as wait } from 'node:timers/promises'

/** The time and the dice of deliveries, so that tests have their own. */
export interface DeliveryClock {
  now(): number
  random(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const systemDeliveryClock: DeliveryClock = {
  now: Date.now,
  random: Math.random,
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
  },
}
