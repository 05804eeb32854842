import fc from 'fast-check'

// The same cases in every run: a change is not to fail on a mistake that was there before it and that chance has found.
const seed = Number(process.env.FORAGE_TEST_SEED || 1968)
if (!Number.isInteger(seed))
  throw new Error(`FORAGE_TEST_SEED is ${process.env.FORAGE_TEST_SEED}: give a whole number.`)
fc.configureGlobal({ seed })

export default fc
