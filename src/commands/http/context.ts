import type { ExpandContext } from '../command.ts'

/** What the parts of this folder need of a job's context, whichever command it belongs to. */
export type HttpContext = Pick<
  ExpandContext<unknown>,
  'fetch' | 'test' | 'readParquet' | 'attempts' | 'withPointer' | 'warn' | 'signal' | 'jobId'
>
