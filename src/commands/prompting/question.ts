import { type Json, stringifyJson } from '../../language/json.ts'

export interface Question {
  readonly model: string | undefined
  readonly system: string | undefined
  readonly json: boolean
  readonly schema: Json | undefined
  readonly temperature: number | undefined
  readonly maxTokens: number | undefined
}

/** Behind the path of the base, in front of its query, where some services want a version. */
export function completionsAddress(baseUrl: string): URL {
  const url = new URL(baseUrl)
  if (!url.pathname.endsWith('/chat/completions'))
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`
  return url
}

export function completionsBody(text: string, question: Question): string {
  const { model, system, temperature, maxTokens } = question
  const asked = { role: 'user', content: text }
  const body: Record<string, Json | undefined> = {
    model,
    messages: system === undefined ? [asked] : [{ role: 'system', content: system }, asked],
    temperature,
    max_tokens: maxTokens,
    response_format: responseFormat(question),
  }
  const given = Object.entries(body).filter((pair): pair is [string, Json] => pair[1] !== undefined)
  return stringifyJson(Object.fromEntries(given))
}

function responseFormat({ json, schema }: Question): Json | undefined {
  if (schema !== undefined) return { type: 'json_schema', json_schema: { name: 'answer', schema } }
  return json ? { type: 'json_object' } : undefined
}
