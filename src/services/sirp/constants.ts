import { randomUUID } from 'node:crypto'
import type { Constant } from '../../engine/cache-key.ts'
import type { Json } from '../../language/json.ts'
import type { Token } from '../../language/values.ts'

/** What the tokens that do not depend on the row stand for in one query. */
export function constantsOf(queryId: string, startedAt: Date): Constant {
  return (token: Token): Json | undefined => {
    switch (token.kind) {
      case 'timestamp':
        return timestamp(startedAt, token.path.segments[0])
      case 'queryId':
        return queryId
      case 'guid':
        return randomUUID()
      default:
        return undefined
    }
  }
}

function timestamp(at: Date, form: string | undefined): Json {
  if (form === 'EPOCH') return Math.floor(at.getTime() / 1000)
  return form === 'ISO' ? at.toISOString() : at.getTime()
}
