import { Button, Group, Table, Title } from '@mantine/core'
import { IconPlus, IconRowInsertBottom } from '@tabler/icons-react'
import { useState } from 'react'
import { api, segment } from '../api/client.ts'
import type { Store, Stream } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { showDone } from '../components/notices.ts'
import { count } from '../components/numbers.ts'
import { Empty, Loaded } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { ListTable } from '../settings/list-table.tsx'
import { RowActions } from '../settings/row-actions.tsx'
import { useList, useRefresh } from '../settings/use-list.ts'
import { STREAMS } from './path.ts'
import { StreamForm } from './stream-form.tsx'
import { WriteRows } from './write-rows.tsx'

/** Names under which programs write rows to a store without a query. */
export function Streams({ stores }: { readonly stores: readonly Store[] }) {
  const list = useList<Stream>(STREAMS)
  const refresh = useRefresh(STREAMS)
  const [isAdding, setAdding] = useState(false)
  const [written, setWritten] = useState<string>()
  const remove = (name: string) =>
    confirmThen({
      title: `Delete the stream ${name}?`,
      text: 'What was written by it stays in the store; programs that write to it are refused.',
      action: 'Delete',
      run: async () => {
        await api.delete(`${STREAMS}/${segment(name)}`)
        await refresh()
        showDone(`The stream ${name} is deleted.`)
      },
    })
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Streams
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={stores.length === 0}
          onClick={() => setAdding(true)}
        >
          New stream
        </Button>
      </Group>
      <Loaded query={list}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title="There are no streams yet">
              A stream is a name by which programs write rows to a store without a query. It needs a store.
            </Empty>
          ) : (
            <ListTable
              label="Streams"
              columns={['Name', 'Store', 'Format', { label: 'Rows at once', right: true }, 'Target', 'Made']}
              minWidth={680}
              total={total}
              shown={items.length}
            >
              {items.map(({ name, streamConfig, createdAt }) => (
                <Table.Tr key={name}>
                  <Table.Td fw={500}>{name}</Table.Td>
                  <Table.Td>{streamConfig.store}</Table.Td>
                  <Table.Td>{streamConfig.format ?? '–'}</Table.Td>
                  <Table.Td ta="right">{count(streamConfig.batch)}</Table.Td>
                  <Table.Td>{streamConfig.target ?? '–'}</Table.Td>
                  <Table.Td>
                    <Time at={createdAt} />
                  </Table.Td>
                  <RowActions name={name} onDelete={() => remove(name)}>
                    <Button
                      size="compact-sm"
                      variant="default"
                      leftSection={<IconRowInsertBottom size={14} />}
                      aria-label={`Write rows to ${name}`}
                      onClick={() => setWritten(name)}
                    >
                      Write
                    </Button>
                  </RowActions>
                </Table.Tr>
              ))}
            </ListTable>
          )
        }
      </Loaded>
      {isAdding && <StreamForm stores={stores} onSaved={refresh} onClose={() => setAdding(false)} />}
      {written !== undefined && <WriteRows stream={written} onClose={() => setWritten(undefined)} />}
    </section>
  )
}
