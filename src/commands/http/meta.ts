import type { Json, Row } from '../../language/json.ts'
import type { WholeResponse } from '../../network/whole-response.ts'

interface Answered {
  readonly response: WholeResponse
  /** Requests that it took. */
  readonly attempts: number
}

/** What `--meta` tells of a request, as `_api`. */
export const metaOf = ({ response, attempts }: Answered): Row => ({
  status: response.status,
  url: response.url.href,
  headers: { ...response.headers } as { readonly [name: string]: Json },
  ms: response.ms,
  attempts,
})
