import { Accordion, Code, Table } from '@mantine/core'
import type { OauthMapping } from '../api/types.ts'
import { Loaded } from '../components/states.tsx'
import { ListTable } from '../settings/list-table.tsx'
import { useList } from '../settings/use-list.ts'
import { MAPPINGS } from './path.ts'

/** The OAuth providers that are known by name. */
export function Providers() {
  return (
    <Accordion variant="contained">
      <Accordion.Item value="providers">
        <Accordion.Control>OAuth providers that are known by name</Accordion.Control>
        <Accordion.Panel>
          <ProviderTable />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

function ProviderTable() {
  const mappings = useList<OauthMapping>(MAPPINGS)
  return (
    <Loaded query={mappings}>
      {({ items, total }) => (
        <ListTable
          label="OAuth providers"
          columns={['Provider', 'Name', 'Grants', 'Tokens come from', 'Scopes']}
          minWidth={900}
          total={total}
          shown={items.length}
          withoutActions
        >
          {items.map(mapping => (
            <Table.Tr key={mapping.provider}>
              <Table.Td fw={500}>{mapping.title}</Table.Td>
              <Table.Td>
                <Code>{mapping.provider}</Code>
              </Table.Td>
              <Table.Td>{mapping.grantTypes.join(', ')}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{mapping.tokenUrl}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{mapping.scopes.join(' ')}</Table.Td>
            </Table.Tr>
          ))}
        </ListTable>
      )}
    </Loaded>
  )
}
