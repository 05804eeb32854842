import { createHmac, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { Fault } from '../../fault.ts'
import { isKey256 } from '../../setting-kinds.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { readIfThere, renameDurably, writeDurably } from '../../storage/data-folder.ts'
import type { Database } from './vault.ts'

export interface Origin {
  /** What FORAGE_MASTER_KEY says, if it is set. */
  readonly given: string | undefined
  readonly file: string
  readonly catalog: Catalog
}

/** The key that seals secrets: from the setting, else from its file, which the first start makes. */
export async function loadMasterKey({ given, file, catalog }: Origin): Promise<Buffer> {
  const expected = await readFingerprint(catalog.db)
  if (given === undefined) finishRotation(file, expected)
  const text = given ?? readIfThere(file)?.trim() ?? (expected === undefined ? makeKeyFile(file) : undefined)
  if (text === undefined)
    throw new Fault(
      'master_key',
      `the master key file ${file} is gone, and secrets in the catalog are sealed with it`,
      'Put the file back from a backup, or set FORAGE_MASTER_KEY to the key.',
    )
  const key = readKey(text, file)
  if (expected === undefined) await writeFingerprint(catalog.db, key)
  else if (expected !== fingerprintOf(key))
    throw new Fault(
      'master_key',
      `the master key from ${given === undefined ? file : 'FORAGE_MASTER_KEY'} is not the one that this data folder was made with`,
      'Give the key of this data folder; with another one its secrets cannot be read.',
    )
  return key
}

/** Where the next master key lies while everything is sealed anew. */
export const nextKeyFile = (file: string): string => `${file}.next`

/** A change of the key that a crash interrupted: the catalog says whether it came before or after. */
function finishRotation(file: string, expected: string | undefined): void {
  const next = readIfThere(nextKeyFile(file))?.trim()
  if (next === undefined) return
  if (isKey256(next) && fingerprintOf(keyOf(next)) === expected) renameDurably(nextKeyFile(file), file)
  else rmSync(nextKeyFile(file))
}

/** The key in a text, or a fault that names the file it is from. */
export function readKey(text: string, file: string): Buffer {
  if (isKey256(text)) return keyOf(text)
  throw new Fault(
    'master_key',
    `the master key in ${file} is not 32 bytes in hexadecimal or base64`,
    'Put the file back from a backup, or set FORAGE_MASTER_KEY to the key.',
  )
}

const keyOf = (text: string): Buffer => Buffer.from(text, text.length === 64 ? 'hex' : 'base64')

/** A new key in a file that its owner alone can read. */
export function makeKeyFile(file: string): string {
  const text = randomBytes(32).toString('hex')
  writeDurably(file, `${text}\n`, 'wx')
  return text
}

const name = 'master_key_fingerprint'

async function readFingerprint(db: Database): Promise<string | undefined> {
  const found = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst()
  return found?.value
}

export async function writeFingerprint(db: Database, key: Buffer): Promise<void> {
  const value = fingerprintOf(key)
  await db
    .insertInto('meta')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Says whether two keys are the same and nothing else about them. */
const fingerprintOf = (key: Buffer): string =>
  createHmac('sha256', key).update('forage master key fingerprint').digest('hex')
