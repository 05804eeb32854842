import type { Json, Row } from '../../language/json.ts'
import type { Page } from './page.ts'

/** What `--meta` tells of a request, as `_api`. */
export const metaOf = ({ response, attempts }: Pick<Page, 'response' | 'attempts'>): Row => ({
  status: response.status,
  url: response.url.href,
  headers: { ...response.headers } as { readonly [name: string]: Json },
  ms: response.ms,
  attempts,
})
