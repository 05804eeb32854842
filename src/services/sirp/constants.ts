import { randomUUID } from 'node:crypto'
import type { Constant } from '../../engine/cache-key.ts'
import { type Json, parseJson, type Row } from '../../language/json.ts'
import { valueAt } from '../../language/paths.ts'
import type { Stage } from '../../language/plan.ts'
import type { Knowledge } from '../../language/read-value.ts'
import type { Token } from '../../language/values.ts'

/** What sirp asks of secrets for a query. */
export interface QueryNames {
  /** Which credentials, secrets and prompts there are, as far as the text may name some. */
  knowledge(text: string): Promise<Knowledge>
  /** What the tokens that name them stand for. */
  constants(stages: readonly Stage[]): Promise<Constant>
}

/** What the tokens that do not depend on the row stand for in one query; `kept` knows those that people have stored. */
export function constantsOf(queryId: string, startedAt: Date, kept: Constant = () => undefined): Constant {
  return (token: Token): Json | undefined => {
    switch (token.kind) {
      case 'timestamp':
        return timestamp(startedAt, token.path.segments[0])
      case 'queryId':
        return queryId
      case 'guid':
        return randomUUID()
      default:
        return kept(token)
    }
  }
}

/** What people have stored, and what the template of a query was given. */
export function withTemplateValues(values: string | null, kept: Constant): Constant {
  if (values === null) return kept
  const given = parseJson(values) as Row
  return token => (token.kind === 'template' ? valueAt(given, token.path) : kept(token))
}

function timestamp(at: Date, form: string | undefined): Json {
  if (form === 'EPOCH') return Math.floor(at.getTime() / 1000)
  return form === 'ISO' ? at.toISOString() : at.getTime()
}
