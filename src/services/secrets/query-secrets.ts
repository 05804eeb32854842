import type { CredentialView } from '../../commands/command.ts'
import { CommandFailure } from '../../commands/failure.ts'
import type { CredentialType } from '../../credentials/credential-type.ts'
import { credentialTypes } from '../../credentials/types.ts'
import type { Constant } from '../../engine/cache-key.ts'
import type {
  Authorization,
  HandleFormat,
  OpenedSecret,
  OutgoingRequest,
  SecretAccess,
} from '../../engine/secrets.ts'
import type { Row } from '../../language/json.ts'
import type { Stage } from '../../language/plan.ts'
import type { Knowledge } from '../../language/read-value.ts'
import { tokensWithin } from '../../language/tokens-in.ts'
import { flagsOf } from '../../language/universal.ts'
import type { Token } from '../../language/values.ts'
import type { OpenCredential } from './credentials.ts'
import { Handles } from './handles.ts'
import { allowsHost } from './hosts.ts'
import type { SecretsService } from './service.ts'
import type { HeldToken } from './tokens.ts'

type Kept = Pick<SecretsService, 'credentials' | 'custom' | 'prompts' | 'checkpoints' | 'tokens'>

/** Names in a query that only this service knows. A quick look, which may find more than there is. */
const MENTIONS = /\$(?:CREDENTIALS|SECRETS|PROMPTS)\.|--credentials?\b/i
const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER }

/** What queries get of credentials, secrets, prompts and checkpoints. */
export class QuerySecrets implements SecretAccess {
  readonly #kept: Kept
  readonly #handles: Handles

  constructor(kept: Kept, handleKey: Buffer) {
    this.#kept = kept
    this.#handles = new Handles(handleKey)
  }

  /** The names that a query may use, for whoever checks it; nothing where it uses none. */
  async knowledge(text: string): Promise<Knowledge> {
    if (!MENTIONS.test(text)) return {}
    const { credentials, custom, prompts } = this.#kept
    const names = (items: readonly { readonly name: string }[]) => new Set(items.map(item => item.name))
    const credential = names((await credentials.list(all)).items)
    const secret = names((await custom.list(all)).items.filter(({ type }) => type === 'custom'))
    const prompt = names((await prompts.list(all)).items)
    return { credential: () => credential, secret: () => secret, prompt: () => prompt }
  }

  /** What the tokens of a query stand for: prompts and checkpoints as they are now, secrets as handles. */
  async constants(stages: readonly Stage[]): Promise<Constant> {
    const used = namesIn(stages)
    const { credentials, custom, prompts, checkpoints } = this.#kept
    const texts = {
      prompt: await prompts.among([...used.prompt]),
      checkpoint: await checkpoints.among([...used.checkpoint]),
    }
    const opened = await credentials.among([...used.credential])
    const versions = {
      credential: new Map(opened.map(({ name, version }) => [name, version])),
      secret: await custom.versions([...used.secret]),
    }
    return ({ kind, path, format }) => {
      if (kind === 'prompt' || kind === 'checkpoint') return texts[kind].get(path.text)
      if (kind !== 'credential' && kind !== 'secret') return undefined
      const version = versions[kind].get(path.text)
      return version && this.#handles.make({ kind, name: path.text, version, format: formatOf(format) })
    }
  }

  async open(handle: string): Promise<OpenedSecret | undefined> {
    const content = this.#handles.read(handle)
    if (content === undefined) return undefined
    const { kind, name, format } = content
    if (kind === 'credential') {
      const credential = await this.#credential(name)
      const value = await this.#valueOf(credential)
      const allows = (hostname: string) => allowsHost(credential.hosts, hostname)
      return { token: `$CREDENTIALS.${name}$`, value, format, allows }
    }
    const value = await this.#kept.custom.value(name)
    if (value === undefined) throw new CommandFailure('unknown_secret', `The secret ${name} has no value.`)
    return { token: `$SECRETS.${name}$`, value, format, allows: () => true }
  }

  async credential(name: string): Promise<CredentialView> {
    const credential = await this.#credential(name)
    const { type, fields } = credential
    const isSecret = (field: string) => credentialTypes[type].fields.find(it => it.name === field)?.secret
    const settings = Object.fromEntries(Object.entries(fields).filter(([field]) => !isSecret(field)))
    return { type, settings, token: () => this.#tokenColumns(credential) }
  }

  async authorize(name: string, type: string | undefined, request: OutgoingRequest): Promise<Authorization> {
    const credential = await this.#credential(name)
    if (type !== undefined && credential.type !== type)
      throw new CommandFailure(
        'bad_credential',
        `The credential ${name} is of type ${credential.type}, not ${type}.`,
        {
          hint: `--credentials.${credential.type} takes it.`,
        },
      )
    if (!allowsHost(credential.hosts, request.url.hostname))
      throw new CommandFailure(
        'secret_host',
        `The credential ${name} may not be sent to ${request.url.hostname}.`,
        {
          hint: 'The hosts that it may be sent to are set in the credential.',
        },
      )
    const declared = credentialTypes[credential.type]
    const secret = hasValue(declared) ? await this.#valueOf(credential) : ''
    const headers = declared.authorize(request, credential.fields, secret)
    const fields = declared.fields.flatMap(field =>
      field.secret ? (credential.fields[field.name] ?? []) : [],
    )
    return { headers, secrets: [...fields, ...(secret === '' ? [] : [secret])] }
  }

  async #tokenColumns(credential: OpenCredential): Promise<Row> {
    const held = await this.#heldToken(credential)
    if (held === undefined) await this.#valueOf(credential)
    const { name, version } = credential
    const expiresAt = held?.expiresAt ?? null
    return {
      access_token: this.#handles.make({ kind: 'credential', name, version, format: 'p' }),
      token_type: held?.tokenType ?? credential.type,
      ...(held && expiresAt !== null && { expires_in: secondsUntil(expiresAt), expires_at: expiresAt }),
      ...(held?.scope !== undefined && { scope: held.scope }),
    }
  }

  /** The one text that a credential stands for. */
  async #valueOf(credential: OpenCredential): Promise<string> {
    const held = await this.#heldToken(credential)
    if (held) return held.accessToken
    const { value } = credentialTypes[credential.type]
    if (value !== undefined) return credential.fields[value]!
    throw new CommandFailure(
      'bad_credential',
      `The credential ${credential.name} is of type ${credential.type}, which is no single value.`,
      { hint: `Send it with --credentials.${credential.type} ${credential.name}.` },
    )
  }

  async #heldToken(credential: OpenCredential): Promise<HeldToken | undefined> {
    return credentialTypes[credential.type].tokenRequest && this.#kept.tokens.current(credential)
  }

  async #credential(name: string): Promise<OpenCredential> {
    const credential = await this.#kept.credentials.open(name)
    if (credential) return credential
    throw new CommandFailure('unknown_credential', `There is no credential named ${name}.`)
  }
}

const hasValue = ({ value, tokenRequest }: CredentialType): boolean =>
  value !== undefined || tokenRequest !== undefined

const secondsUntil = (time: string): number => Math.max(0, Math.round((Date.parse(time) - Date.now()) / 1000))

const formatOf = (format: Token['format']): HandleFormat =>
  format === 'url' ? 'u' : format === 'json' ? 'j' : 'p'

interface Names {
  readonly credential: Set<string>
  readonly secret: Set<string>
  readonly prompt: Set<string>
  readonly checkpoint: Set<string>
}

/** Every name in the tokens of a query, and of the credentials in its flags. */
function namesIn(stages: readonly Stage[]): Names {
  const names: Names = { credential: new Set(), secret: new Set(), prompt: new Set(), checkpoint: new Set() }
  for (const stage of stages) {
    for (const token of tokensWithin([stage.args, stage.flags]))
      if (token.kind in names) names[token.kind as keyof Names].add(token.path.text)
    for (const { name, names: kind } of flagsOf(stage.declaration)) {
      const given = stage.flags[name]
      if (kind === 'credential' && given) for (const text of textsIn(given)) names.credential.add(text)
    }
  }
  return names
}

/** The texts of a value that holds no token. */
function textsIn(value: Stage['flags'][string]): string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.flatMap(item =>
    item.type === 'text' ? item.template.parts.filter((part: unknown) => typeof part === 'string') : [],
  )
}
