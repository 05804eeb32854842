import type { Call } from './call.ts'
import { jsonReply, Refusal, type Reply } from './reply.ts'
import type { Router } from './router.ts'

type Values = Record<string, unknown>

/** A stand-in for a language model: it repeats what it was told, but keeps to the asked-for form, always in the same words. */
export function chatRoutes(router: Router): void {
  router.area('Chat completions')
  router.post(
    '/v1/chat/completions',
    'repeats the last message; JSON when `response_format` asks for it, filled in by its schema',
    complete,
  )
}

async function complete(call: Call): Promise<Reply> {
  const request = asObject(await call.json())
  const messages = Array.isArray(request.messages) ? request.messages.map(asObject) : []
  const text = String(messages.at(-1)?.content ?? '')
  if (text === '') throw new Refusal(400, 'messages must hold at least one message with content')
  const content = contentFor(text, asObject(request.response_format))
  const [asked, answered] = [messages.map(message => String(message.content)).join(' '), content].map(
    wordCount,
  ) as [number, number]
  return jsonReply({
    id: 'chatcmpl-demo',
    object: 'chat.completion',
    created: 1735689600,
    model: request.model ?? 'demo',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: asked, completion_tokens: answered, total_tokens: asked + answered },
  })
}

function contentFor(text: string, format: Values): string {
  if (format.type === 'json_schema')
    return JSON.stringify(example(asObject(asObject(format.json_schema).schema), text))
  if (format.type === 'json_object') return JSON.stringify({ text, words: wordCount(text) })
  return `You said: ${text}`
}

/** A value that a JSON schema allows: the text where text is wanted, its number of words where a number is. */
function example(schema: Values, text: string): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[text.length % schema.enum.length]
  if (schema.type === 'object') {
    return Object.fromEntries(
      Object.entries(asObject(schema.properties)).map(([name, inner]) => [
        name,
        example(asObject(inner), text),
      ]),
    )
  }
  if (schema.type === 'array') return [example(asObject(schema.items), text)]
  if (schema.type === 'number' || schema.type === 'integer') return wordCount(text)
  if (schema.type === 'boolean') return text.includes('?')
  return text
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}

function asObject(value: unknown): Values {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Values) : {}
}
