import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** What a sealed text belongs to. Moved to another place it does not open. */
export interface Place {
  readonly type: string
  readonly name: string
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Seals texts under one master key: AES-256-GCM, a fresh nonce each, type, name and version of the key bound to it. */
export class Seal {
  readonly version: number
  readonly #key: Buffer

  constructor(masterKey: Buffer, version: number) {
    this.version = version
    this.#key = derivedKey(masterKey, 'forage vault')
  }

  seal(place: Place, text: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(this.#bound(place))
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64')
  }

  /** Throws when the text was changed, moved or sealed under another key. */
  open(place: Place, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv(algorithm, this.#key, bytes.subarray(0, nonceBytes))
    decipher.setAAD(this.#bound(place)).setAuthTag(bytes.subarray(-tagBytes))
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  }

  #bound({ type, name }: Place): Buffer {
    return Buffer.from(JSON.stringify([type, name, this.version]))
  }
}

/** A key for one purpose: nothing that is made with it tells of the master key or of the keys for other purposes. */
export const derivedKey = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32))
