import type { Row } from '../language/json.ts'

interface FailureDetails {
  readonly hint?: string
  /** A few of the rows that show what is wrong. */
  readonly sample?: readonly Row[]
}

/** What a command says when the data or its arguments do not let it run: it becomes the query's `error`. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly code: string
  readonly hint: string | undefined
  readonly sample: readonly Row[] | undefined
  constructor(code: string, message: string, details: FailureDetails = {}) {
    super(message)
    this.code = code
    this.hint = details.hint
    this.sample = details.sample
  }
}
