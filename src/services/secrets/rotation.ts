import { existsSync } from 'node:fs'
import { Fault } from '../../fault.ts'
import { readIfThere, renameDurably } from '../../storage/data-folder.ts'
import {
  loadMasterKey,
  makeKeyFile,
  nextKeyFile,
  type Origin,
  readKey,
  writeFingerprint,
} from './master-key.ts'
import { Seal } from './seal.ts'
import { type Database, keyVersion, keyVersionName } from './vault.ts'

export interface Rotation extends Origin {
  /** Where the new key is, or is to be put; needed when FORAGE_MASTER_KEY gives the old one. */
  readonly to: string | undefined
}

/**
 * Seals everything under a new master key. The new key is on the disk before anything changes, and all of the vault
 * changes in one transaction together with the fingerprint: after a crash every secret opens under one of the two keys, and
 * the next start knows which.
 */
export async function rotateMasterKey({ to, ...origin }: Rotation): Promise<{ readonly sealed: number }> {
  const before = await loadMasterKey(origin)
  const file = newKeyFile(origin, to)
  const after = readKey(existsSync(file) ? readIfThere(file)!.trim() : makeKeyFile(file), file)
  if (after.equals(before))
    throw new Fault('master_key', `the key in ${file} is the present master key`, 'Give another file.')
  const sealed = await origin.catalog.transaction(async db => {
    const version = await keyVersion(db)
    const count = await sealAnew(db, new Seal(before, version), new Seal(after, version + 1))
    await writeFingerprint(db, after)
    await writeVersion(db, version + 1)
    return count
  })
  if (origin.given === undefined) renameDurably(file, origin.file)
  return { sealed }
}

function newKeyFile({ given, file }: Origin, to: string | undefined): string {
  if (given === undefined) {
    if (to === undefined) return nextKeyFile(file)
    throw new Fault('usage', `the master key is in ${file}, and so will the new one be`, 'Leave out --to.')
  }
  if (to !== undefined) return to
  throw new Fault(
    'usage',
    'FORAGE_MASTER_KEY gives the present key, so a file for the new one is needed',
    'Name it with --to: a file that holds the new key, or one that is not there yet and will.',
  )
}

async function sealAnew(db: Database, before: Seal, after: Seal): Promise<number> {
  const places = await db.selectFrom('vault').select(['type', 'name']).execute()
  for (const place of places) {
    const row = db.selectFrom('vault').select('sealed').where('type', '=', place.type)
    const { sealed } = await row.where('name', '=', place.name).executeTakeFirstOrThrow()
    await db
      .updateTable('vault')
      .set({ key_version: after.version, sealed: after.seal(place, before.open(place, sealed)) })
      .where('type', '=', place.type)
      .where('name', '=', place.name)
      .execute()
  }
  return places.length
}

async function writeVersion(db: Database, version: number): Promise<void> {
  const value = String(version)
  await db
    .insertInto('meta')
    .values({ name: keyVersionName, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
