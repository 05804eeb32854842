import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { ForageError } from '../../errors.ts'
import { fields, nullable } from '../fields.ts'
import { type ServiceName, serviceNames } from '../service.ts'

const Content = fields({
  plan: Type.String({ minLength: 1, maxLength: 100 }),
  holder: Type.String({ minLength: 1, maxLength: 1000 }),
  services: Type.Array(Type.Enum([...serviceNames]), { minItems: 1 }),
  expires: nullable(Type.String({ format: 'date-time' })),
  /** Which key signed it: tells a license of somebody else from one that was tampered with. */
  key: Type.String(),
})

export interface License {
  readonly plan: string
  readonly holder: string
  readonly services: readonly ServiceName[]
  /** Null: never. */
  readonly expires: string | null
}

/** A license as a text: what it says and the signature over exactly these bytes, both in base64url. */
export function signLicense(license: License, privateKey: KeyObject): string {
  const content = { ...license, key: keyId(createPublicKey(privateKey)) }
  const text = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}

/** What a license says, if this key signed it and it has not expired; otherwise it is refused with the reason. */
export function readLicense(text: string, publicKey: KeyObject | undefined, now = new Date()): License {
  const [content = '', signature = ''] = text.trim().split('.')
  const { key, ...license } = parsed(content)
  if (publicKey === undefined)
    throw refused('No key is set that it could be checked with (FORAGE_LICENSE_KEY).')
  if (key !== keyId(publicKey)) throw refused('It is foreign: it was signed for another installation.')
  if (!verify(null, Buffer.from(content), publicKey, Buffer.from(signature, 'base64url')))
    throw refused('It is forged: it was changed after it was signed.')
  if (license.expires !== null && Date.parse(license.expires) <= now.getTime())
    throw refused(`It has expired on ${license.expires}.`)
  return license
}

function parsed(content: string): Static<typeof Content> {
  try {
    const value: unknown = JSON.parse(Buffer.from(content, 'base64url').toString('utf8'))
    if (Check(Content, value)) return value
  } catch {
    // Said below: it is damaged either way.
  }
  throw refused('It is damaged: this is not the text of a license.')
}

const refused = (reason: string) => new ForageError('license_refused', reason)

const keyId = (publicKey: KeyObject): string =>
  createHash('sha256').update(rawKey(publicKey)).digest('hex').slice(0, 16)

const rawKey = (publicKey: KeyObject): string => publicKey.export({ format: 'jwk' }).x!

/** The 32 bytes of a public key, as FORAGE_LICENSE_KEY takes them. */
export const publicKeyText = (privateKey: KeyObject): string =>
  Buffer.from(rawKey(createPublicKey(privateKey)), 'base64url').toString('base64')

export const publicKeyOf = (text: string): KeyObject => {
  const x = Buffer.from(text, text.length === 64 ? 'hex' : 'base64').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

/** An Ed25519 key in PEM, or undefined when the text is none. */
export function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}
