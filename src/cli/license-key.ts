import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { Fault } from '../fault.ts'
import { privateKeyOf, publicKeyText } from '../services/licorice/license.ts'
import { readIfThere, writeDurably } from '../storage/data-folder.ts'
import type { CliCommand } from './command.ts'

export const licenseKey: CliCommand = {
  name: 'license key',
  summary: 'Prints the public key for FORAGE_LICENSE_KEY; makes the pair when the file is not there',
  arguments: [{ name: 'file', meaning: 'the private key that signs licenses, in PEM; keep it to yourself' }],
  examples: [
    { line: 'forage license key license.pem', meaning: 'what installations set FORAGE_LICENSE_KEY to' },
  ],
  async run({ arguments: { file }, print }) {
    const { privateKey } = generateKeyPairSync('ed25519')
    if (readIfThere(file!) === undefined)
      writeDurably(file!, String(privateKey.export({ type: 'pkcs8', format: 'pem' })), 'wx')
    print(publicKeyText(readSigningKey(file!)))
    return 0
  },
}

export function readSigningKey(file: string): KeyObject {
  const key = privateKeyOf(readIfThere(file) ?? '')
  if (key) return key
  throw new Fault(
    'failure',
    `${file} holds no Ed25519 private key in PEM`,
    '`forage license key <file>` makes one.',
  )
}
