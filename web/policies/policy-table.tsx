import { Code, Table, Text } from '@mantine/core'
import type { DomainPolicy } from '../api/types.ts'
import { count } from '../components/numbers.ts'
import { Time } from '../components/time.tsx'
import { ListTable } from '../settings/list-table.tsx'
import { RowActions } from '../settings/row-actions.tsx'
import { windows } from './windows.ts'

interface PolicyTableProps {
  readonly items: readonly DomainPolicy[]
  readonly total: number
  readonly onEdit: (policy: DomainPolicy) => void
  readonly onDelete: (policy: DomainPolicy) => void
}

export function PolicyTable({ items, total, onEdit, onDelete }: PolicyTableProps) {
  return (
    <ListTable
      label="Domain policies"
      columns={['Name', 'Domain', ...windows.map(({ label }) => ({ label, right: true })), 'Changed']}
      minWidth={720}
      total={total}
      shown={items.length}
    >
      {items.map(policy => (
        <Table.Tr key={policy.id}>
          <Table.Td fw={500}>{policy.name}</Table.Td>
          <Table.Td>
            <Code>{policy.domain}</Code>
          </Table.Td>
          {windows.map(({ name }) => (
            <Table.Td key={name} ta="right">
              <Limit value={policy.policy[name]} />
            </Table.Td>
          ))}
          <Table.Td>
            <Time at={policy.updatedAt} />
          </Table.Td>
          <RowActions name={policy.name} onEdit={() => onEdit(policy)} onDelete={() => onDelete(policy)} />
        </Table.Tr>
      ))}
    </ListTable>
  )
}

function Limit({ value }: { readonly value: number | undefined }) {
  if (value === undefined)
    return (
      <Text span size="sm" c="dimmed">
        no limit
      </Text>
    )
  return value === 0 ? 'never' : count(value)
}
