/** The time of schedules, so that tests have their own. */
export interface AlmanacClock {
  now(): number
  /** Calls at that time (epoch ms), or soon after when it is past; gives what calls it off. */
  at(time: number, call: () => void): () => void
}

/** A timer for longer than this (25 days) would go off at once. */
const LONGEST_MS = 2 ** 31 - 1

export const systemAlmanacClock: AlmanacClock = {
  now: Date.now,
  at: (time, call) => {
    const timer = setTimeout(call, Math.min(LONGEST_MS, Math.max(0, time - Date.now())))
    // Waiting for the next run keeps nobody from ending the process.
    timer.unref()
    return () => clearTimeout(timer)
  },
}
