import { Button, Group, Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../api/client.ts'
import type { Page, QueryRecord } from '../api/types.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Pager } from '../components/pager.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { statusLabel } from '../components/status-badge.tsx'
import { useListAddress } from '../components/use-list-address.ts'
import { isUnderWay } from '../queries/actions.ts'
import { QueryTable } from '../queries/query-table.tsx'
import { SelectionBar } from '../queries/selection-bar.tsx'

const SIZE = 50
const RUNNING_MS = 2000
/** Schedules and other people start queries too. */
const IDLE_MS = 15_000
const states = ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired']

export default function QueriesPage() {
  const list = useListAddress(SIZE)
  const [status, text] = [list.get('status'), list.get('text')]
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const query = useQuery({
    queryKey: ['queries', 'list', status, text, list.page],
    queryFn: () =>
      api.get<Page<QueryRecord>>('/v1/sirp/queries', {
        query: { ...list.range, ...(status && { status }), ...(text && { text }) },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? RUNNING_MS : IDLE_MS),
  })

  return (
    <>
      <PageHeader
        title="Queries"
        about="What has been run, by people, schedules and programs; the latest first."
      >
        <Button component={Link} href="/" leftSection={<IconPlus size={16} />}>
          New query
        </Button>
      </PageHeader>
      <Group mb="sm" gap="sm">
        <SearchField label="Search in the queries" value={text} onChange={value => list.set('text', value)} />
        <Select
          aria-label="Status"
          placeholder="Any status"
          w={160}
          clearable
          clearButtonProps={{ 'aria-label': 'Any status' }}
          data={states.map(value => ({ value, label: statusLabel(value) }))}
          value={status || null}
          onChange={value => list.set('status', value ?? '')}
        />
      </Group>
      <Loaded query={query}>
        {({ items, total }) => {
          if (total === 0)
            return status || text ? (
              <Empty title="No query is like that">
                Search for something else, or choose another status.
              </Empty>
            ) : (
              <Empty title="No queries yet">
                Whatever is run on the <Link href="/">query page</Link>, by a schedule or through the
                interface is listed here until its results expire.
              </Empty>
            )
          const chosen = items.filter(({ id }) => selected.has(id))
          return (
            <>
              <SelectionBar chosen={chosen} onClear={() => setSelected(new Set())} />
              <QueryTable queries={items} selected={selected} onSelect={setSelected} />
              <Pager page={list.page} size={SIZE} total={total} onChange={list.setPage} />
            </>
          )
        }}
      </Loaded>
    </>
  )
}
