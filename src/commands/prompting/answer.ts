import { type Json, parseJson, type Row } from '../../language/json.ts'
import { CommandFailure } from '../failure.ts'

/** What the endpoint answered. */
export interface Answer {
  readonly text: string
  readonly model: string | undefined
  readonly tokens: { readonly [kind: string]: number } | undefined
  /** It came to the limit of tokens. */
  readonly wasCut: boolean
}

type Values = { readonly [key: string]: Json | undefined }

export function readAnswer(body: string): Answer {
  const document = objectOf(parsed(body))
  const choice = objectOf(Array.isArray(document.choices) ? document.choices[0] : undefined)
  const message = objectOf(choice.message)
  const text = contentOf(message.content)
  if (typeof message.refusal === 'string' && !text)
    throw new CommandFailure('prompt_refused', `The model refuses to answer: ${message.refusal}`)
  if (text === undefined)
    throw new CommandFailure('prompt_no_answer', 'What came is no chat completion: it has no message.', {
      hint: '--baseUrl must be that of a chat-completions endpoint.',
    })
  return {
    text,
    model: typeof document.model === 'string' ? document.model : undefined,
    tokens: tokensOf(objectOf(document.usage)),
    wasCut: choice.finish_reason === 'length',
  }
}

/** Text, or a list of parts some of which are text. */
function contentOf(content: Json | undefined): string | undefined {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : undefined
  return content.flatMap(part => contentOf(objectOf(part).text) ?? []).join('')
}

function tokensOf({ prompt_tokens: input, completion_tokens: output }: Values): Answer['tokens'] {
  const tokens = {
    ...(typeof input === 'number' && { input }),
    ...(typeof output === 'number' && { output }),
  }
  return Object.keys(tokens).length > 0 ? tokens : undefined
}

/** The rows that a JSON text stands for; undefined where it is none. Models like to put it into a fence. */
export function jsonRows(text: string): Row[] | undefined {
  const document = parsed(withoutFence(text.trim()))
  if (document === undefined) return undefined
  return (Array.isArray(document) ? document : [document]).map(rowOf)
}

const FENCE = '```'

function withoutFence(text: string): string {
  const isFenced = text.length > 2 * FENCE.length && text.startsWith(FENCE) && text.endsWith(FENCE)
  return isFenced ? text.slice(text.indexOf('\n') + 1, -FENCE.length) : text
}

const rowOf = (value: Json): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : { value }

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const objectOf = (value: Json | undefined): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {}
