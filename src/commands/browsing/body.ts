import type { Json } from '../../language/json.ts'
import { CommandFailure } from '../failure.ts'
import type { PageAction, PageBody } from './browser.ts'

/** The flags that go to the browser as they are. */
const PLAIN = new Set([
  'selector',
  'expression',
  'args',
  'jquery',
  'lodash',
  'mathjs',
  'session',
  'headers',
  'device',
  'viewportWidth',
  'viewportHeight',
  'proxy',
  'filter',
  'ready',
  'visible',
  'hidden',
  'engine',
  'screenshot',
  'type',
  'quality',
  'background',
  'html',
  'hashtml',
  'dimension',
  'responseText',
])
const STORAGES = ['cookieStorage', 'localStorage', 'sessionStorage'] as const

interface GivenFlags {
  readonly wait?: readonly string[] | undefined
  readonly polling?: string | undefined
  readonly cookieStorage?: Json | undefined
  readonly localStorage?: Json | undefined
  readonly sessionStorage?: Json | undefined
}

/** The body of a browser operation from the flags of a command; `more` is what the command adds itself. */
export function pageBody(
  url: string,
  flags: GivenFlags,
  more: Readonly<Record<string, unknown>> = {},
): PageBody {
  const options: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(flags)) {
    if (PLAIN.has(name) && value !== undefined) options[name] = value
  }
  const { wait, polling } = flags
  if (wait !== undefined) options.wait = wait.map(numberOrText)
  if (polling !== undefined) options.polling = numberOrText(polling)
  for (const name of STORAGES) {
    const storage = flags[name]
    if (storage !== undefined) options[name] = withoutNulls(storage)
  }
  return { ...options, ...more, url }
}

const numberOrText = (text: string): string | number => (/^\d+$/.test(text.trim()) ? Number(text) : text)

/** In a table every row has the cookies of all of them; those of others are null. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, item]) => item !== null)
  return Object.fromEntries(entries.map(([name, item]) => [name, withoutNulls(item)]))
}

/** `--click` and `--scroll`, in the order in which they were written. */
export function actionsOf(ordered: readonly { readonly flag: string; readonly value: Json }[]): PageAction[] {
  return ordered.map(({ flag, value }) => {
    const text = String(value)
    if (flag === 'click') return { kind: 'click', selector: text }
    if (text === 'end') return { kind: 'scroll', by: 'end' }
    if (/^-?\d{1,9}$/.test(text)) return { kind: 'scroll', by: Number(text) }
    throw new CommandFailure('bad_value', '--scroll takes a number of pixels, or `end`.')
  })
}
