import { Button, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { DomainPolicy } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { showDone } from '../components/notices.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { DomainUses } from '../policies/domain-uses.tsx'
import { DOMAINS, POLICIES } from '../policies/path.ts'
import { PolicyForm } from '../policies/policy-form.tsx'
import { PolicyTable } from '../policies/policy-table.tsx'
import { WhichPolicy } from '../policies/which-policy.tsx'
import { useList } from '../settings/use-list.ts'

export default function PoliciesPage() {
  const list = useList<DomainPolicy>(POLICIES)
  const client = useQueryClient()
  const [edited, setEdited] = useState<DomainPolicy | 'new'>()
  const refresh = async () => {
    await Promise.all([POLICIES, DOMAINS].map(path => client.invalidateQueries({ queryKey: [path] })))
  }
  const remove = ({ id, name, domain }: DomainPolicy) =>
    confirmThen({
      title: `Delete the policy ${name}?`,
      text: `For ${domain} the next less exact policy holds then, or the built-in one.`,
      action: 'Delete',
      run: async () => {
        await api.delete(`${POLICIES}/${id}`)
        await refresh()
        showDone(`The policy ${name} is deleted.`)
      },
    })
  return (
    <>
      <PageHeader
        title="Domain policies"
        about="How often Forage may ask a domain, whichever query asks. Whoever comes too early waits its turn; nothing is lost."
      >
        <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
          New policy
        </Button>
      </PageHeader>
      <Stack gap="xl">
        <div>
          <Loaded query={list}>
            {({ items, total }) =>
              items.length === 0 ? (
                <Empty title="There are no policies yet">
                  Every domain has the built-in limits: 1 per second, 10 per ten seconds, 60 per minute.
                </Empty>
              ) : (
                <PolicyTable items={items} total={total} onEdit={setEdited} onDelete={remove} />
              )
            }
          </Loaded>
          <Text size="sm" c="dimmed" mt="sm" maw={720}>
            The most exact policy alone holds: that of a.b.com before that of *.b.com, that before *. Where
            none fits, the built-in limits do: 1 per second, 10 per ten seconds, 60 per minute. This machine
            itself (localhost) has no limit unless a policy names it.
          </Text>
        </div>
        <WhichPolicy />
        <div>
          <Title order={2} size="h4" mb="xs">
            Use of the limits now
          </Title>
          <DomainUses />
        </div>
      </Stack>
      {edited && (
        <PolicyForm
          present={edited === 'new' ? undefined : edited}
          onSaved={refresh}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
