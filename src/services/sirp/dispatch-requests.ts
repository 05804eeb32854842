import type { TemplateValues } from './template-values.ts'

/** A query that is to run. */
export interface DispatchRequest {
  readonly query: string
  readonly id?: string | undefined
  readonly mode?: 'turbo' | 'comprehensive' | undefined
  readonly ttl?: number | undefined
  readonly minutes?: number | undefined
  readonly cleanup?: boolean | undefined
  readonly summary?: boolean | undefined
  readonly metadata?: Record<string, unknown> | undefined
  /** The schedule that this is a run of: what it fetches, it fetches anew. */
  readonly scheduledId?: string | undefined
  readonly templateId?: string | null
  readonly templateValues?: TemplateValues
}

/** A template that is to run: `query` is its text, or its id. */
export interface TemplateRequest extends Omit<DispatchRequest, 'templateId' | 'templateValues'> {
  readonly values?: Record<string, unknown> | undefined
}

/** One command that is to run by itself, over the rows of the query `prev` if that is given. */
export interface CommandRequest {
  readonly command: string
  readonly args?: readonly (readonly unknown[])[] | undefined
  readonly flags?: Record<string, unknown> | undefined
  readonly prev?: string | undefined
  readonly line?: number | undefined
  readonly metadata?: Record<string, unknown> | undefined
  readonly id?: string | undefined
}
