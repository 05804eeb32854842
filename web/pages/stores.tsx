import { Button, Code, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { api, segment } from '../api/client.ts'
import type { Store } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { showDone } from '../components/notices.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { ListTable } from '../settings/list-table.tsx'
import { useTypes } from '../settings/type-schemas.ts'
import { useList, useRefresh } from '../settings/use-list.ts'
import { STORES } from '../stores/path.ts'
import { StoreForm } from '../stores/store-form.tsx'
import { StoreRow } from '../stores/store-row.tsx'
import { Streams } from '../stores/streams.tsx'

/** Deliveries change it while one looks. */
const EVERY_MS = 5000

export default function StoresPage() {
  const types = useTypes('/v1/secrets/store-schemas')
  const list = useList<Store>(STORES, EVERY_MS)
  const refresh = useRefresh(STORES)
  const [edited, setEdited] = useState<Store | 'new'>()
  const remove = (name: string) =>
    confirmThen({
      title: `Delete the store ${name}?`,
      text: 'What was delivered to it stays there. Queries that deliver to it will not start.',
      action: 'Delete',
      run: async () => {
        await api.delete(`${STORES}/${segment(name)}`)
        await refresh()
        showDone(`The store ${name} is deleted.`)
      },
    })
  return (
    <>
      <PageHeader
        title="Stores"
        about={
          <>
            Places outside of Forage that rows are delivered to, with <Code>freeze NAME --store STORE</Code>{' '}
            at the end of a query.
          </>
        }
      >
        <Button
          leftSection={<IconPlus size={16} />}
          disabled={types.data === undefined}
          onClick={() => setEdited('new')}
        >
          New store
        </Button>
      </PageHeader>
      <Loaded query={list}>
        {({ items, total }) => (
          <Stack gap="xl">
            {items.length === 0 ? (
              <Empty title="There are no stores yet">
                Make one with the button above: a database, an address that takes rows, or a folder on this
                machine.
              </Empty>
            ) : (
              <ListTable
                label="Stores"
                columns={[
                  'Name',
                  'Type',
                  { label: 'Deliveries', right: true },
                  { label: 'Rows', right: true },
                  'Last delivery',
                ]}
                minWidth={820}
                total={total}
                shown={items.length}
              >
                {items.map(store => (
                  <StoreRow
                    key={store.name}
                    store={store}
                    title={types.data?.find(({ type }) => type === store.type)?.title ?? store.type}
                    onEdit={() => setEdited(store)}
                    onDelete={() => remove(store.name)}
                  />
                ))}
              </ListTable>
            )}
            <Streams stores={items} />
          </Stack>
        )}
      </Loaded>
      {edited && types.data && (
        <StoreForm
          types={types.data}
          present={edited === 'new' ? undefined : edited}
          onSaved={refresh}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
