import { Button, Code, Group, PasswordInput, Table, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { quoteSegment } from '../../src/language/paths.ts'
import { api, segment } from '../api/client.ts'
import type { SecretName } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { entry } from '../forms/entry.ts'
import { errorAt } from '../forms/schema.ts'
import { ListTable } from '../settings/list-table.tsx'
import { RowActions } from '../settings/row-actions.tsx'
import { useList, useRefresh } from '../settings/use-list.ts'

const PATH = '/v1/secrets/secrets'

export default function SecretsPage() {
  const list = useList<SecretName>(PATH)
  const refresh = useRefresh(PATH)
  const [isAdding, setAdding] = useState(false)
  const remove = ({ name, type }: SecretName) =>
    confirmThen({
      title: `Delete the secret ${name}?`,
      text: 'Its value is gone for good, and queries that use it will not start.',
      action: 'Delete',
      run: async () => {
        await api.delete(`${PATH}/${segment(name)}`, { query: { type } })
        await refresh()
        showDone(`The secret ${name} is deleted.`)
      },
    })
  return (
    <>
      <PageHeader
        title="Secrets"
        about="Single values that queries use and nobody sees again: not here, not in results, not in logs."
      >
        <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          New secret
        </Button>
      </PageHeader>
      <Loaded query={list}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title="There are no secrets yet">
              Add one with the button above and write <Code>$SECRETS.name$</Code> in headers, forms and
              addresses of a query.
            </Empty>
          ) : (
            <ListTable
              label="Secrets"
              columns={['Name', 'Type', 'In queries', 'Changed']}
              total={total}
              shown={items.length}
            >
              {items.map(secret => (
                <Table.Tr key={`${secret.type} ${secret.name}`}>
                  <Table.Td fw={500}>{secret.name}</Table.Td>
                  <Table.Td>{secret.type}</Table.Td>
                  <Table.Td>{secret.type === 'custom' ? <SecretToken name={secret.name} /> : '–'}</Table.Td>
                  <Table.Td>
                    <Time at={secret.updatedAt} />
                  </Table.Td>
                  <RowActions name={secret.name} onDelete={() => remove(secret)} />
                </Table.Tr>
              ))}
            </ListTable>
          )
        }
      </Loaded>
      {isAdding && <NewSecret onSaved={refresh} onClose={() => setAdding(false)} />}
    </>
  )
}

function SecretToken({ name }: { readonly name: string }) {
  const token = `$SECRETS.${quoteSegment(name)}$`
  return (
    <Group gap={4} wrap="nowrap">
      <Code>{token}</Code>
      <CopyButton value={token} label={`Copy ${token}`} />
    </Group>
  )
}

interface NewSecretProps {
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

function NewSecret({ onSaved, onClose }: NewSecretProps) {
  const [name, setName] = useState('')
  const [secret, setSecret] = useState('')
  const save = async () => {
    await api.post(PATH, { name, secret, type: 'custom' })
    await onSaved()
    showDone(`The secret ${name} is kept.`)
  }
  return (
    <FormModal title="New secret" action="Keep it" onSubmit={save} onClose={onClose}>
      {errors => (
        <>
          <TextInput
            label="Name"
            required
            data-autofocus
            maxLength={250}
            {...entry(name, setName, errorAt(errors, '$.name'))}
          />
          <PasswordInput
            label="Value"
            description="It cannot be read again. To change it, delete the secret and add it anew."
            required
            autoComplete="new-password"
            {...entry(secret, setSecret, errorAt(errors, '$.secret'))}
          />
        </>
      )}
    </FormModal>
  )
}
