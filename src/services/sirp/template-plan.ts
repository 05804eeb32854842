import { type Json, type Row, stringifyJson } from '../../language/json.ts'
import { valueAt } from '../../language/paths.ts'
import type { PlanDocument, StageDocument } from '../../language/plan.ts'
import { textOf } from '../../language/resolve.ts'
import { scanToken } from '../../language/tokens.ts'
import { percentEncode } from '../../language/urls.ts'
import type { Token } from '../../language/values.ts'
import type { TemplateValues } from './template-values.ts'

/** The plan of a template with the values in the places of their tokens; those without a value stay tokens. */
export const fillDocument = (document: PlanDocument, values: TemplateValues): PlanDocument => ({
  ...document,
  stages: document.stages.map(stage => fillStage(stage, values)),
})

function fillStage(stage: StageDocument, values: TemplateValues): StageDocument {
  const { args, flags } = stage.command
  return {
    ...stage,
    tokens: stage.tokens.filter(source => filled(source, values) === undefined),
    command: {
      ...stage.command,
      args: args.map(parts => parts.flatMap(part => fillPart(part, values))),
      flags: fillJson(flags as Row, values) as Row,
    },
  }
}

/** A part of an argument is a token, `\$`, or text without a dollar. */
function fillPart(part: string, values: TemplateValues): string[] {
  const found = filled(part, values)
  if (found === undefined) return [part]
  return written(found)
    .split(/(\$)/)
    .flatMap(text => (text === '$' ? '\\$' : text || []))
}

function fillJson(value: Json, values: TemplateValues): Json {
  if (typeof value === 'string') return fillText(value, values)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => fillJson(item, values))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillJson(item, values)]))
}

/** A text that is one token takes the value with its type; elsewhere it becomes text, its dollars written as such. */
function fillText(text: string, values: TemplateValues): Json {
  const whole = filled(text, values)
  if (whole && !whole.token.format && typeof whole.value !== 'string') return whole.value
  let result = ''
  for (let at = 0; at < text.length; at++) {
    const isEscaped = /(?:^|[^\\])(?:\\\\)*\\$/.test(text.slice(0, at))
    const token = text[at] === '$' && !isEscaped ? scanToken(text, at) : undefined
    const found = token && valueOfToken(token.token, values)
    if (token && found) {
      result += written(found).replace(/(\\*)\$/g, '$1$1\\$')
      at = token.end - 1
    } else result += text[at]
  }
  return result
}

interface Filled {
  readonly token: Token
  readonly value: Json
}

/** The value of a text that is exactly one token of the template. */
function filled(text: string, values: TemplateValues): Filled | undefined {
  const found = text.startsWith('$') ? scanToken(text, 0) : undefined
  return found?.end === text.length ? valueOfToken(found.token, values) : undefined
}

function valueOfToken(token: Token, values: TemplateValues): Filled | undefined {
  const value = token.kind === 'template' ? valueAt(values, token.path) : undefined
  return value === undefined ? undefined : { token, value }
}

function written({ token, value }: Filled): string {
  if (token.format === 'json') return stringifyJson(value)
  return token.format === 'url' ? percentEncode(textOf(value)) : textOf(value)
}
