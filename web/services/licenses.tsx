import { Button, Group, Table, Title } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { License } from '../api/types.ts'
import { Loaded } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { ListTable } from '../settings/list-table.tsx'
import { useList } from '../settings/use-list.ts'
import { LicenseForm } from './license-form.tsx'
import { LICENSE_STATUS, LICENSES } from './path.ts'

export function Licenses() {
  const list = useList<License>(LICENSES)
  const client = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const refresh = async () => {
    await Promise.all([LICENSES, LICENSE_STATUS].map(path => client.invalidateQueries({ queryKey: [path] })))
  }
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Licenses
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconUpload size={14} />}
          onClick={() => setAdding(true)}
        >
          Add a license
        </Button>
      </Group>
      <Loaded query={list}>
        {({ items, total }) => (
          <ListTable
            label="Licenses"
            columns={['Plan', 'Holder', 'Covers', 'Ends', 'Added']}
            minWidth={560}
            total={total}
            shown={items.length}
            withoutActions
          >
            {items.map(({ plan, holder, services, expires, addedAt }) => (
              <Table.Tr key={`${plan} ${holder} ${addedAt}`}>
                <Table.Td fw={500}>{plan}</Table.Td>
                <Table.Td>{holder}</Table.Td>
                <Table.Td>{services.length === 10 ? 'every service' : services.join(', ')}</Table.Td>
                <Table.Td>{expires ? <Time at={expires} /> : 'never'}</Table.Td>
                <Table.Td>{addedAt ? <Time at={addedAt} /> : 'built in'}</Table.Td>
              </Table.Tr>
            ))}
          </ListTable>
        )}
      </Loaded>
      {isAdding && <LicenseForm onSaved={refresh} onClose={() => setAdding(false)} />}
    </section>
  )
}
