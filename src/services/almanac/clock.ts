/** The time of schedules, so that tests have their own. */
export interface AlmanacClock {
  now(): number
  /** Calls at that time (epoch ms), soon after when it is past, and perhaps before; gives what calls it off. */
  at(time: number, call: () => void): () => void
}

/** A timer does not count the time that a machine sleeps, nor see that somebody sets its clock: so it is looked up again. */
const LONGEST_MS = 60_000

export const systemAlmanacClock: AlmanacClock = {
  now: Date.now,
  at: (time, call) => {
    const timer = setTimeout(call, Math.min(LONGEST_MS, Math.max(0, time - Date.now())))
    // Waiting for the next run keeps nobody from ending the process.
    timer.unref()
    return () => clearTimeout(timer)
  },
}
