import { Button, Code, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, segment } from '../api/client.ts'
import type { Credential, OauthToken } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { showDone } from '../components/notices.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { CredentialForm } from '../credentials/credential-form.tsx'
import { CredentialRow } from '../credentials/credential-row.tsx'
import { CREDENTIALS, TOKENS } from '../credentials/path.ts'
import { Providers } from '../credentials/providers.tsx'
import { ListTable } from '../settings/list-table.tsx'
import { useTypes } from '../settings/type-schemas.ts'
import { useList } from '../settings/use-list.ts'

/** Queries fetch tokens while one looks. */
const EVERY_MS = 5000

export default function CredentialsPage() {
  const types = useTypes('/v1/secrets/credential-schemas')
  const list = useList<Credential>(CREDENTIALS)
  const tokens = useList<OauthToken>(TOKENS, EVERY_MS)
  const client = useQueryClient()
  const [edited, setEdited] = useState<Credential | 'new'>()
  const refresh = async () => {
    await Promise.all([CREDENTIALS, TOKENS].map(path => client.invalidateQueries({ queryKey: [path] })))
  }
  const remove = (name: string) =>
    confirmThen({
      title: `Delete the credential ${name}?`,
      text: 'Its secrets and its token are gone for good, and queries that use it will not start.',
      action: 'Delete',
      run: async () => {
        await api.delete(`${CREDENTIALS}/${segment(name)}`)
        await refresh()
        showDone(`The credential ${name} is deleted.`)
      },
    })
  return (
    <>
      <PageHeader
        title="Credentials"
        about={
          <>
            What services ask for before they answer. Queries name them, as in{' '}
            <Code>api get … --credentials.custom NAME</Code>; their secrets are shown to nobody.
          </>
        }
      >
        <Button
          leftSection={<IconPlus size={16} />}
          disabled={types.data === undefined}
          onClick={() => setEdited('new')}
        >
          New credential
        </Button>
      </PageHeader>
      <Stack gap="xl">
        <Loaded query={list}>
          {({ items, total }) =>
            items.length === 0 ? (
              <Empty title="There are no credentials yet">
                Add one with the button above: a key, a token, an AWS key, or OAuth with one of the known
                providers.
              </Empty>
            ) : (
              <ListTable
                label="Credentials"
                columns={['Name', 'Type', 'Hosts', 'Token', 'Changed']}
                minWidth={820}
                total={total}
                shown={items.length}
              >
                {items.map(credential => (
                  <CredentialRow
                    key={credential.name}
                    credential={credential}
                    title={types.data?.find(({ type }) => type === credential.type)?.title ?? credential.type}
                    token={tokens.data?.items.find(token => token.credential === credential.name)}
                    onEdit={() => setEdited(credential)}
                    onDelete={() => remove(credential.name)}
                  />
                ))}
              </ListTable>
            )
          }
        </Loaded>
        <Providers />
      </Stack>
      {edited && types.data && (
        <CredentialForm
          types={types.data}
          present={edited === 'new' ? undefined : edited}
          onSaved={refresh}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
