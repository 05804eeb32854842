import type { QueryClient } from '@tanstack/react-query'
import { addressOf, api, segment } from '../api/client.ts'
import type { CellarManifest } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { showDone } from '../components/notices.ts'

export const FILES = '/v1/sirp/cellar/files'
export const MANIFESTS = '/v1/sirp/cellar/manifests'

export const filePath = (name: string): string => `${FILES}/${segment(name)}`
export const manifestPath = (name: string): string => `${MANIFESTS}/${segment(name)}`

export const exportAddress = (name: string, mode: 'csv' | 'ndjson', safe = false): string =>
  addressOf(`${filePath(name)}/export/${mode}`, safe ? { safe } : {})

export const refreshCellar = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['cellar'] })

export function deleteFile(name: string, client: QueryClient, then = () => {}): void {
  confirmThen({
    title: `Delete ${name}?`,
    text: 'The file and its rows will be gone. Queries that read it fail from now on; their results stay.',
    action: 'Delete',
    run: async () => {
      await api.delete(filePath(name))
      then()
      await refreshCellar(client)
      showDone(`${name} is deleted.`)
    },
  })
}

export async function touchManifest({ name }: CellarManifest, client: QueryClient): Promise<void> {
  await api.post(`${manifestPath(name)}/touch`)
  await refreshCellar(client)
  showDone(`A delivery is noted in ${name}.`)
}

export function deleteManifest({ name }: CellarManifest, client: QueryClient): void {
  confirmThen({
    title: `Delete the manifest ${name}?`,
    text: 'What was delivered stays where it is. Screenshots that only this manifest names go in a while.',
    action: 'Delete',
    run: async () => {
      await api.delete(manifestPath(name))
      await refreshCellar(client)
      showDone(`The manifest ${name} is deleted.`)
    },
  })
}
