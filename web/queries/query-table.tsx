import { Checkbox, Table } from '@mantine/core'
import type { QueryRecord } from '../api/types.ts'
import { RowTable } from '../components/row-table.tsx'
import { QueryRow } from './query-row.tsx'

export function QueryTable({
  queries,
  selected,
  onSelect,
}: {
  readonly queries: readonly QueryRecord[]
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
}) {
  const chosen = queries.filter(({ id }) => selected.has(id)).length
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  return (
    <RowTable
      label="Queries"
      minWidth={340}
      head={
        <>
          <Table.Th w={40}>
            <Checkbox
              aria-label="Choose all on this page"
              checked={chosen === queries.length}
              indeterminate={chosen > 0 && chosen < queries.length}
              onChange={() => onSelect(new Set(chosen === queries.length ? [] : queries.map(({ id }) => id)))}
            />
          </Table.Th>
          <Table.Th>Query</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th visibleFrom="sm">Created</Table.Th>
          <Table.Th visibleFrom="xl">Finished</Table.Th>
          <Table.Th ta="right" visibleFrom="sm">
            Duration
          </Table.Th>
          <Table.Th ta="right" visibleFrom="sm">
            Rows
          </Table.Th>
          <Table.Th ta="right" visibleFrom="sm">
            Failed
          </Table.Th>
        </>
      }
    >
      {queries.map(query => (
        <QueryRow
          key={query.id}
          query={query}
          isSelected={selected.has(query.id)}
          onToggle={() => toggle(query.id)}
        />
      ))}
    </RowTable>
  )
}
