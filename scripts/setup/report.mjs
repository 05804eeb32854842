import { fileURLToPath } from 'node:url'

/** The checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Something that keeps set-up from going on, and what to do about it. */
export class SetupProblem extends Error {
  constructor(message, remedy) {
    super(message)
    this.remedy = remedy
  }
}

/** Progress goes to standard error: standard output belongs to the command that follows. */
export const say = text => process.stderr.write(`set-up: ${text}\n`)

const skipped = (process.env.FORAGE_SETUP_SKIP ?? '').split(',').map(step => step.trim())

export const skips = step => skipped.includes(step) || skipped.includes('all')
