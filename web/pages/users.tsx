import { Badge, Button, Group, Table } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { api, segment } from '../api/client.ts'
import type { User } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { showDone } from '../components/notices.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { useSession } from '../session/session.tsx'
import { ListTable } from '../settings/list-table.tsx'
import { RowActions } from '../settings/row-actions.tsx'
import { useList, useRefresh } from '../settings/use-list.ts'
import { ChangePassword } from '../users/change-password.tsx'
import { NewUser } from '../users/new-user.tsx'
import { USERS } from '../users/path.ts'

export default function UsersPage() {
  const { session } = useSession()
  const list = useList<User>(USERS)
  const refresh = useRefresh(USERS)
  const [isAdding, setAdding] = useState(false)
  const [changed, setChanged] = useState<string>()
  const remove = (username: string) =>
    confirmThen({
      title: `Delete the user ${username}?`,
      text:
        username === session?.username
          ? 'That is you: you will be signed out. Nothing of what was made is lost.'
          : 'They are signed out at once. Nothing of what they made is lost.',
      action: 'Delete',
      run: async () => {
        await api.delete(`${USERS}/${segment(username)}`)
        await refresh()
        showDone(`The user ${username} is deleted.`)
      },
    })
  return (
    <>
      <PageHeader title="Users" about="Whoever may sign in here. All users may do the same.">
        <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          New user
        </Button>
      </PageHeader>
      <Loaded query={list}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title="There are no users">Make one with the button above.</Empty>
          ) : (
            <ListTable
              label="Users"
              columns={['User name', 'Made', 'Password changed']}
              minWidth={520}
              total={total}
              shown={items.length}
            >
              {items.map(({ username, createdAt, updatedAt }) => (
                <Table.Tr key={username}>
                  <Table.Td fw={500}>
                    <Group gap="xs" wrap="nowrap">
                      <span>{username}</span>
                      {username === session?.username && (
                        <Badge size="sm" variant="light" autoContrast style={{ flex: 'none' }}>
                          you
                        </Badge>
                      )}
                    </Group>
                  </Table.Td>
                  <Table.Td>
                    <Time at={createdAt} />
                  </Table.Td>
                  <Table.Td>
                    <Time at={updatedAt} />
                  </Table.Td>
                  <RowActions name={username} onDelete={() => remove(username)}>
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      color="gray"
                      aria-label={`Change password of ${username}`}
                      onClick={() => setChanged(username)}
                    >
                      Change password
                    </Button>
                  </RowActions>
                </Table.Tr>
              ))}
            </ListTable>
          )
        }
      </Loaded>
      {isAdding && <NewUser onSaved={refresh} onClose={() => setAdding(false)} />}
      {changed !== undefined && (
        <ChangePassword username={changed} onSaved={refresh} onClose={() => setChanged(undefined)} />
      )}
    </>
  )
}
