import type { Stage } from '../language/plan.ts'
import type { JobSecrets } from './job-secrets.ts'
import { givenArguments, type StageValues, shown, shownFlags } from './stage-values.ts'
import { encodeNested } from './tables/encode.ts'
import type { JobEnd, JobRecord } from './tables/job-record.ts'

/** A job that has ended. */
export interface EndedJob extends JobEnd {
  readonly startedAt: number
  readonly attempts: number
  /** None where the row lacks what they are made from. */
  readonly values: StageValues | undefined
  readonly secrets: JobSecrets | undefined
}

/** Writes the records of a stage's jobs: what varies in them. The rest is known of the stage, and filled in by whoever reads them. */
export class JobRecords {
  readonly #stage: Stage
  readonly #arguments: readonly string[]
  /** The arguments of the last one, and how they are written: most are the same for all rows. */
  readonly #last: { value: unknown; text: string }[]
  #flags: StageValues['flags'] | undefined
  #flagsText = '{}'
  /** The second of the last one, and how it is written: many begin in the same. */
  #second = 0
  #secondText = ''

  constructor(stage: Stage) {
    this.#stage = stage
    this.#arguments = givenArguments(stage)
    this.#last = this.#arguments.map(() => ({ value: undefined, text: 'null' }))
  }

  of({ startedAt, attempts, values, secrets, status, error }: EndedJob): JobRecord {
    const argsText = values ? this.#argumentsOf(values, secrets) : ''
    const flagsText = values ? this.#flagsOf(values, secrets) : '{}'
    const started = this.#timeOf(startedAt)
    const errorText = error ? `,"error":${encodeNested(error)}` : ''
    const text = `{"args":[${argsText}],"flags":${flagsText},"status":"${status}","startedAt":"${started}","durationMs":${Date.now() - startedAt},"attempts":${attempts}${errorText}}`
    return { status, error, text }
  }

  #argumentsOf({ args }: StageValues, secrets: JobSecrets | undefined): string {
    let text = ''
    // By place: the pairs of `entries` would be made anew for every row.
    for (let place = 0; place < this.#arguments.length; place++) {
      const name = this.#arguments[place]!
      const last = this.#last[place]!
      if (secrets || args[name] !== last.value) {
        const value = shown(args[name])
        last.value = args[name]
        last.text = encodeNested(secrets?.shown(value) ?? value)
      }
      text += `${text && ','}${last.text}`
    }
    return text
  }

  #timeOf(startedAt: number): string {
    const second = Math.floor(startedAt / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#secondText = new Date(second * 1000).toISOString().slice(0, -'000Z'.length)
    }
    return `${this.#secondText}${String(startedAt - second * 1000).padStart(3, '0')}Z`
  }

  #flagsOf(values: StageValues, secrets: JobSecrets | undefined): string {
    if (secrets) return encodeNested(secrets.shown(shownFlags(this.#stage, values)))
    if (values.flags !== this.#flags) {
      this.#flags = values.flags
      this.#flagsText = encodeNested(shownFlags(this.#stage, values))
    }
    return this.#flagsText
  }
}
