import { Button, Group, Textarea } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { CellarManifest, Page } from '../api/types.ts'
import { FormModal } from '../components/form-modal.tsx'
import { Pager } from '../components/pager.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { useListAddress } from '../components/use-list-address.ts'
import { MANIFESTS, manifestPath, refreshCellar } from './actions.ts'
import { ManifestDetails } from './manifest-details.tsx'
import { ManifestForm } from './manifest-form.tsx'
import { ManifestTable } from './manifest-table.tsx'

const SIZE = 50
/** Deliveries go on while one looks. */
const LIVE_MS = 5000

export function ManifestsTab() {
  const list = useListAddress(SIZE)
  const [isAdding, setIsAdding] = useState(false)
  const [opened, setOpened] = useState<string>()
  const [erring, setErring] = useState<string>()
  const query = useQuery({
    queryKey: ['cellar', 'manifests', list.page],
    queryFn: () => api.get<Page<CellarManifest>>(MANIFESTS, { query: list.range }),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_MS,
  })
  const shown = query.data?.items.find(({ name }) => name === opened)
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <Button leftSection={<IconPlus size={16} />} onClick={() => setIsAdding(true)}>
          New manifest
        </Button>
      </Group>
      <Loaded query={query}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title="No manifests">
              A delivery to a store is written into the manifest of its name. Add one with the button above.
            </Empty>
          ) : (
            <>
              <ManifestTable
                manifests={items}
                onOpen={({ name }) => setOpened(name)}
                onError={({ name }) => setErring(name)}
              />
              <Pager page={list.page} size={SIZE} total={total} onChange={list.setPage} />
            </>
          )
        }
      </Loaded>
      {isAdding && <ManifestForm onClose={() => setIsAdding(false)} />}
      {shown && <ManifestDetails manifest={shown} onClose={() => setOpened(undefined)} />}
      {erring !== undefined && <ErrorForm name={erring} onClose={() => setErring(undefined)} />}
    </>
  )
}

function ErrorForm({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const client = useQueryClient()
  const [message, setMessage] = useState('')
  const save = async () => {
    await api.post(`${manifestPath(name)}/errors/touch`, message === '' ? {} : { message })
    await refreshCellar(client)
  }
  return (
    <FormModal title={`An error with ${name}`} action="Note the error" onSubmit={save} onClose={onClose}>
      {() => (
        <Textarea
          label="What went wrong"
          data-autofocus
          autosize
          minRows={2}
          maxLength={10_000}
          value={message}
          onChange={event => setMessage(event.currentTarget.value)}
        />
      )}
    </FormModal>
  )
}
