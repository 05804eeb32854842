import type { JobEnd } from './job-record.ts'

export interface FrequentError {
  readonly code: string
  readonly message: string
  readonly count: number
  /** An input row whose job failed so. */
  readonly example: number
}

/** Errors that are told apart; a stage can fail in a different way for each of a million rows. */
const MOST_ERRORS = 1000

/** How the jobs of a journal have ended. */
export class JobTally {
  readonly #errors = new Map<string, FrequentError>()
  #failed = 0
  #passed = 0

  /** Rows without a record were no jobs: they went through as they were. */
  count(input: number, record: JobEnd | undefined): void {
    if (!record) this.#passed++
    if (record?.status !== 'failed') return
    this.#failed++
    if (!record.error) return
    const { code, message } = record.error
    const key = `${code} ${message}`
    const known = this.#errors.get(key)
    if (known) this.#errors.set(key, { ...known, count: known.count + 1 })
    else if (this.#errors.size < MOST_ERRORS)
      this.#errors.set(key, { code, message, count: 1, example: input })
  }

  get failed(): number {
    return this.#failed
  }

  get passed(): number {
    return this.#passed
  }

  get mostFrequentError(): FrequentError | undefined {
    return [...this.#errors.values()].sort((a, b) => b.count - a.count)[0]
  }
}
