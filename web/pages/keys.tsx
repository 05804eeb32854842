import { Button, Code, Table, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { ApiKey, NewApiKey } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { entry } from '../forms/entry.ts'
import { errorAt } from '../forms/schema.ts'
import { NewKeyShown } from '../keys/new-key-shown.tsx'
import { ListTable } from '../settings/list-table.tsx'
import { RowActions } from '../settings/row-actions.tsx'
import { useList, useRefresh } from '../settings/use-list.ts'

const PATH = '/v1/secrets/apikeys'

export default function KeysPage() {
  const list = useList<ApiKey>(PATH)
  const refresh = useRefresh(PATH)
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<NewApiKey>()
  const remove = ({ id, name }: ApiKey) =>
    confirmThen({
      title: `Delete the key ${name}?`,
      text: 'Programs that use it will be refused at once.',
      action: 'Delete',
      run: async () => {
        await api.delete(`${PATH}/${id}`)
        await refresh()
        showDone(`The key ${name} is deleted.`)
      },
    })
  return (
    <>
      <PageHeader
        title="API keys"
        about={
          <>
            Programs show one with every request: <Code>Authorization: svc KEY</Code>. People sign in with a
            user instead.
          </>
        }
      >
        <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          New key
        </Button>
      </PageHeader>
      <Loaded query={list}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title="There are no API keys">Make one for each program that is to use Forage.</Empty>
          ) : (
            <ListTable
              label="API keys"
              columns={['Name', 'Begins with', 'Made', 'Last used']}
              total={total}
              shown={items.length}
            >
              {items.map(key => (
                <Table.Tr key={key.id}>
                  <Table.Td fw={500}>{key.name}</Table.Td>
                  <Table.Td>
                    <Code>{key.prefix}…</Code>
                  </Table.Td>
                  <Table.Td>
                    <Time at={key.createdAt} />
                  </Table.Td>
                  <Table.Td>
                    {key.lastUsedAt ? (
                      <Time at={key.lastUsedAt} />
                    ) : (
                      <Text span size="sm" c="dimmed">
                        never
                      </Text>
                    )}
                  </Table.Td>
                  <RowActions name={key.name} onDelete={() => remove(key)} />
                </Table.Tr>
              ))}
            </ListTable>
          )
        }
      </Loaded>
      {isAdding && <NewKey onMade={setMade} onSaved={refresh} onClose={() => setAdding(false)} />}
      {made && <NewKeyShown made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

interface NewKeyProps {
  readonly onMade: (made: NewApiKey) => void
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

function NewKey({ onMade, onSaved, onClose }: NewKeyProps) {
  const [name, setName] = useState('')
  const save = async () => {
    onMade(await api.post<NewApiKey>(PATH, { name }))
    await onSaved()
  }
  return (
    <FormModal title="New API key" action="Make the key" onSubmit={save} onClose={onClose}>
      {errors => (
        <TextInput
          label="Name"
          description="To know it by, such as the program that will use it"
          required
          data-autofocus
          maxLength={1000}
          {...entry(name, setName, errorAt(errors, '$.name'))}
        />
      )}
    </FormModal>
  )
}
