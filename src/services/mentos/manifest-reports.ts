import type { Transaction } from 'kysely'
import { ForageError } from '../../errors.ts'
import type { Schema } from '../../storage/catalog/schema.ts'
import type { Manifests, ManifestType } from '../cellar/manifests.ts'
import { manifestTypes } from '../store-types.ts'
import type { DeliveryReports } from './service.ts'

type StoreName = Parameters<DeliveryReports['failed']>[0]

/** Tells what was delivered to a store in the manifest of its name, which the first delivery makes. */
export class ManifestReports implements DeliveryReports {
  readonly #manifests: Pick<Manifests, 'add' | 'addIn' | 'touchIn' | 'touchErrors'>

  constructor(manifests: Pick<Manifests, 'add' | 'addIn' | 'touchIn' | 'touchErrors'>) {
    this.#manifests = manifests
  }

  async delivered(
    db: Transaction<Schema>,
    store: StoreName,
    outcome: { readonly rows: number; readonly bytes: number },
  ): Promise<void> {
    if (!hasManifest(store)) return
    await this.#manifests.addIn(db, manifestOf(store)).catch(unlessTaken)
    await this.#manifests.touchIn(db, store.name, outcome)
  }

  async failed(store: StoreName, message: string): Promise<void> {
    if (!hasManifest(store)) return
    await this.#manifests.add(manifestOf(store)).catch(unlessTaken)
    await this.#manifests.touchErrors(store.name, message)
  }
}

/** A few kinds have none. */
const hasManifest = ({ type }: StoreName): boolean => (manifestTypes as readonly string[]).includes(type)

const manifestOf = ({ name, type }: StoreName) => ({ name, store: name, type: type as ManifestType })

function unlessTaken(error: unknown): void {
  if (!(error instanceof ForageError) || error.code !== 'name_taken') throw error
}
