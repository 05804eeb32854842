import { ForageError } from '../../errors.ts'
import type { Manifests, ManifestType } from '../cellar/manifests.ts'
import { manifestTypes } from '../store-types.ts'
import type { DeliveryReports } from './service.ts'

type StoreName = Parameters<DeliveryReports['delivered']>[0]

/** Tells what was delivered to a store in the manifest of its name, which the first delivery makes. */
export class ManifestReports implements DeliveryReports {
  readonly #manifests: Pick<Manifests, 'add' | 'touch' | 'touchErrors'>

  constructor(manifests: Pick<Manifests, 'add' | 'touch' | 'touchErrors'>) {
    this.#manifests = manifests
  }

  async delivered(
    store: StoreName,
    { rows, bytes }: Parameters<DeliveryReports['delivered']>[1],
  ): Promise<void> {
    if (await this.#ensure(store)) await this.#manifests.touch(store.name, { rows, bytes })
  }

  async failed(store: StoreName, message: string): Promise<void> {
    if (await this.#ensure(store)) await this.#manifests.touchErrors(store.name, message)
  }

  /** False for the few kinds that have no manifests. */
  async #ensure({ name, type }: StoreName): Promise<boolean> {
    if (!(manifestTypes as readonly string[]).includes(type)) return false
    await this.#manifests.add({ name, store: name, type: type as ManifestType }).catch(error => {
      if (!(error instanceof ForageError) || error.code !== 'name_taken') throw error
    })
    return true
  }
}
