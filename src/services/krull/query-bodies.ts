/** The options of the browser's operations in a query: of every operation all of them, as they are flags there. */
import Type, { type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { PageBody, PageOperation } from '../../commands/browsing/browser.ts'
import { ForageError } from '../../errors.ts'
import { fields } from '../fields.ts'
import { EvaluateBody, FormBody, RequestsBody, ScreenshotBody, SelectorBody, SessionBody } from './options.ts'

type Checked = PageOperation | 'open'

const all = {
  ...RequestsBody.properties,
  ...EvaluateBody.properties,
  ...SelectorBody.properties,
  ...ScreenshotBody.properties,
}
const { selector } = SelectorBody.properties
const { expression } = EvaluateBody.properties
const actions = Type.Optional(Type.Array(Type.Unknown()))

const bodies = {
  open: fields({ ...all, selector, actions }),
  evaluate: fields({ ...all, expression }),
  requests: fields(all),
  screenshot: fields(all),
  session: fields({ ...all, expression: SessionBody.properties.expression }),
  form: fields({ ...all, ...FormBody.properties }),
} as const satisfies Record<Checked, TSchema>

/** Compiled when first needed: it costs milliseconds that a start should not wait for. */
const compiled = new Map<Checked, ReturnType<typeof Compile>>()

export function checkBody(operation: Checked, body: PageBody): void {
  const check = compiled.get(operation) ?? Compile(bodies[operation])
  compiled.set(operation, check)
  if (check.Check(body)) return
  // Of the alternatives of a union the innermost place says most. Never the value: it may be a secret.
  const [worst] = check.Errors(body).toSorted((a, b) => depth(b.instancePath) - depth(a.instancePath))
  if (worst?.keyword === 'required' && worst.instancePath === '')
    throw new ForageError('invalid_request', `${flagOf(worst.params.requiredProperties[0]!)} is required.`)
  const [, option = 'url', ...inner] = worst?.instancePath.split('/') ?? []
  const place = inner.length > 0 ? ` at ${inner.join('.')}` : ''
  throw new ForageError('invalid_request', `${flagOf(option)}${place} ${worst?.message ?? 'is not valid'}.`)
}

const depth = (pointer: string): number => pointer.split('/').length

const names: Readonly<Record<string, string>> = { selectorValuePairs: 'fill', submitSelector: 'submit' }
const flagOf = (option: string): string => (option === 'url' ? 'The address' : `--${names[option] ?? option}`)

/** A message about the body of a request, said of the flags of a command. */
export const asFlag = (message: string): string =>
  message.replace(/^Not valid in the body: \$\.(\w+)/, (_, option: string) => flagOf(option))
