import type { JobRequest } from '../commands/command.ts'
import { CommandFailure } from '../commands/failure.ts'
import type { CommandDeclaration, Parameter } from '../language/declaration.ts'
import type { Json, Row } from '../language/json.ts'
import type { Stage } from '../language/plan.ts'
import { flagsOf } from '../language/universal.ts'
import { percentEncode } from '../language/urls.ts'
import { readUrl } from '../network/redirect.ts'
import { HANDLE, HANDLE_START, type OpenedSecret, type SecretAccess } from './secrets.ts'
import type { StageValues } from './stage-values.ts'

/** Shorter ones are not looked for in what comes back: they would be found in half of all words. */
const SHORTEST_HIDDEN = 6
const SHORTEST_CUT = 3
const HIDDEN = '[hidden]'
/** Flags whose text another host does not get when a redirect leads there: what goes into the headers, the address, the proxy. */
const NOT_IN_BODY = /^(headers|bearer|basic|cookies|query|proxy|security\..*)$/

/** Flags that are the same for all rows of a stage, and hold nothing secret: looked through once. */
const PLAIN = new WeakSet<object>()

/** Whether values hold anything secret, or name a credential: most do not, and then there is nothing to open. */
export function hasSecrets({ declaration }: Stage, values: StageValues): boolean {
  const { args, flags } = secretParameters(declaration)
  if (args.some(({ name }) => hasHandle(values.args[name]))) return true
  if (PLAIN.has(values.flags)) return false
  if (credentialOf(values) || flags.some(({ name }) => hasHandle(values.flags[name]))) return true
  PLAIN.add(values.flags)
  return false
}

function hasHandle(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(HANDLE_START)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasHandle)
}

/** The secrets that one job, or one stage, sends: opened when it begins, and known to nobody else. */
export class JobSecrets {
  readonly #access: SecretAccess
  readonly #stage: Stage
  readonly #opened = new Map<string, OpenedSecret>()
  readonly #credential: { readonly name: string; readonly type: string | undefined } | undefined
  /** Whatever must not be seen in rows and errors. */
  readonly #hidden = new Set<string>()
  #isInBody = false
  #values: StageValues

  private constructor(access: SecretAccess, stage: Stage, values: StageValues) {
    this.#access = access
    this.#stage = stage
    this.#values = values
    this.#credential = credentialOf(values)
  }

  static async open(access: SecretAccess, stage: Stage, values: StageValues): Promise<JobSecrets> {
    const secrets = new JobSecrets(access, stage, values)
    await secrets.#openAll()
    return secrets
  }

  /** The values with the secrets in them, for the command that sends them and for nothing else. */
  get values(): StageValues {
    return this.#values
  }

  async #openAll(): Promise<void> {
    for (const [name, parameter, value] of secretValues(this.#stage, this.#values)) {
      const handles = handlesIn(value)
      if (handles.length > 0 && parameter.type !== 'url' && !NOT_IN_BODY.test(name)) this.#isInBody = true
      for (const handle of handles) await this.#openOne(handle)
    }
    if (this.#opened.size === 0) return
    const { args, flags } = this.#values
    const shownFlags = this.#revealed(flags, flagsOf(this.#stage.declaration))
    this.#values = {
      args: this.#revealed(args, this.#stage.declaration.arguments),
      flags: shownFlags,
      universal: shownFlags,
      expand: shownFlags,
    }
    // For those who do not send their requests through us, such as the browser.
    const { url } = this.#values.args
    if (typeof url === 'string') this.#requireAllowed(readUrl(url).hostname)
  }

  async #openOne(handle: string): Promise<void> {
    if (this.#opened.has(handle)) return
    const secret = await this.#access.open(handle)
    if (secret === undefined) return
    this.#opened.set(handle, secret)
    this.#hide(secret.value)
  }

  #revealed(values: Readonly<Record<string, unknown>>, parameters: readonly Parameter[]) {
    const entries = Object.entries(values).map(([name, value]) => {
      const parameter = parameters.find(it => it.name === name)
      return [name, parameter?.secret ? this.reveal(value, parameter) : value]
    })
    return Object.fromEntries(entries) as Record<string, unknown>
  }

  /** A value with the secrets in the place of their handles. */
  reveal<T>(value: T, { type }: Parameter): T {
    const write = (text: string) =>
      text.replace(HANDLE, handle => {
        const secret = this.#opened.get(handle)
        return secret === undefined ? handle : written(secret, type === 'url')
      })
    return this.#opened.size === 0 ? value : (mapTexts(value, write) as T)
  }

  /** The request with what its credential adds. Made anew for every try: a signature has the time in it. */
  async authorize(request: JobRequest): Promise<JobRequest> {
    const secretHeaders = [...(request.secretHeaders ?? [])]
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      if (this.#isSecret(value)) secretHeaders.push(name)
      // `Basic` hides a password in base64 together with the name.
      if (this.#opened.size > 0 && name === 'authorization') this.#hide(String(value).split(' ').at(-1)!)
    }
    if (this.#opened.size > 0 && carriesSecrets(request, secretHeaders))
      this.#requireAllowed(new URL(request.url).hostname)
    // The address came in an answer: whoever chose it gets nothing of the user's.
    if (this.#credential === undefined || request.fromData) return { ...request, secretHeaders }
    if (typeof request.body === 'function')
      throw new CommandFailure('bad_credential', 'A body that is streamed cannot be sent with a credential.')
    const { name, type } = this.#credential
    const added = await this.#access.authorize(name, type, {
      method: (request.method ?? 'GET').toUpperCase(),
      url: new URL(request.url),
      headers: request.headers ?? {},
      body: request.body,
    })
    for (const secret of added.secrets) this.#hide(secret)
    return {
      ...request,
      headers: { ...request.headers, ...added.headers },
      secretHeaders: [...secretHeaders, ...Object.keys(added.headers)],
    }
  }

  /** Asked before every request, those of redirects included. Headers with secrets are dropped on the way to another host; a body is not. */
  checkHop(url: URL, first: URL): void {
    if (!this.#isInBody || url.host === first.host) return
    throw new CommandFailure(
      'secret_redirected',
      `${first.host} redirects to ${url.host}, and the body holds a secret that is only for the first.`,
      { hint: '`--redirect false` answers with the redirect itself.' },
    )
  }

  #requireAllowed(hostname: string): void {
    for (const secret of this.#opened.values()) {
      if (secret.allows(hostname)) continue
      throw new CommandFailure('secret_host', `${secret.token} may not be sent to ${hostname}.`, {
        hint: 'The hosts that it may be sent to are set in the credential.',
      })
    }
  }

  #isSecret(value: string | string[]): boolean {
    if (this.#opened.size === 0) return false
    const text = [value].flat().join('\n')
    return [...this.#opened.values()].some(secret => text.includes(secret.value))
  }

  #hide(secret: string): void {
    if (secret.length < SHORTEST_HIDDEN) return
    const forms = [
      secret,
      percentEncode(secret),
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
    ]
    for (const form of forms) this.#hidden.add(form)
    this.#hidden.add(Buffer.from(secret).toString('base64').replace(/=+$/, ''))
  }

  /** A text of an error or a warning without any secret that the job knows, nor the beginning of one. */
  scrubText(text: string): string {
    let scrubbed = this.#scrub(text)
    for (const secret of this.#hidden) scrubbed = withoutBeginning(scrubbed, secret)
    return scrubbed
  }

  /** Rows without them: servers have been seen to answer with what they were sent. */
  scrubRows(rows: Row[]): Row[] {
    return this.#hidden.size === 0 ? rows : rows.map(row => mapTexts(row, text => this.#scrub(text)) as Row)
  }

  #scrub(text: string): string {
    let scrubbed = text
    for (const secret of this.#hidden) scrubbed = scrubbed.replaceAll(secret, HIDDEN)
    return scrubbed
  }

  scrubError(error: unknown): unknown {
    if (this.#hidden.size > 0 && error instanceof Error) error.message = this.scrubText(error.message)
    return error
  }

  /** What a record shows of the values: handles as the tokens that they came from. */
  shown(value: Json): Json {
    const write = (text: string) => text.replace(HANDLE, handle => this.#opened.get(handle)?.token ?? handle)
    return this.#opened.size === 0 ? value : (mapTexts(value, write) as Json)
  }
}

/** An address that came in an answer has nothing of the user's in it; what goes with the request may. */
const carriesSecrets = ({ fromData, headers, body }: JobRequest, secretHeaders: readonly string[]): boolean =>
  !fromData || body !== undefined || headers?.authorization !== undefined || secretHeaders.length > 0

/** `--credentials.TYPE NAME`, or `--credential NAME`. */
function credentialOf({ flags }: StageValues) {
  for (const name of Object.keys(flags)) {
    if (!name.startsWith('credential')) continue
    const value = flags[name]
    const [, type] = /^credentials?(?:\.(\w+))?$/.exec(name) ?? []
    if (typeof value === 'string' && (type !== undefined || name === 'credential'))
      return { name: value, type }
  }
  return undefined
}

interface SecretParameters {
  readonly args: readonly Parameter[]
  readonly flags: readonly Parameter[]
}

/** Asked for every row, and the same for all of them. */
const KNOWN = new WeakMap<CommandDeclaration, SecretParameters>()

function secretParameters(declaration: CommandDeclaration): SecretParameters {
  const known = KNOWN.get(declaration)
  if (known) return known
  const isSecret = (parameter: Parameter) => parameter.secret === true
  const found = {
    args: declaration.arguments.filter(isSecret),
    flags: flagsOf(declaration).filter(isSecret),
  }
  KNOWN.set(declaration, found)
  return found
}

function* secretValues(stage: Stage, values: StageValues): Generator<[string, Parameter, unknown]> {
  const { args, flags } = secretParameters(stage.declaration)
  for (const parameter of args) yield [parameter.name, parameter, values.args[parameter.name]]
  for (const parameter of flags)
    if (parameter.name in values.flags) yield [parameter.name, parameter, values.flags[parameter.name]]
}

function handlesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes(HANDLE_START) ? (value.match(HANDLE) ?? []) : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(handlesIn) : []
}

/** An answer that was cut off in the middle of a secret still has the first part of it before the dots. */
function withoutBeginning(text: string, secret: string): string {
  const end = text.lastIndexOf('…')
  const beginning = end < 0 ? text : text.slice(0, end)
  for (let length = Math.min(secret.length - 1, beginning.length); length >= SHORTEST_CUT; length--) {
    if (!beginning.endsWith(secret.slice(0, length))) continue
    return beginning.slice(0, -length) + HIDDEN + text.slice(beginning.length)
  }
  return text
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]))
}

function written({ value, format }: OpenedSecret, isUrl: boolean): string {
  if (isUrl || format === 'u') return percentEncode(value)
  return format === 'j' ? JSON.stringify(value).slice(1, -1) : value
}
