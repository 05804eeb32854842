import { Button, Group, Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { Page, QueryTemplate } from '../api/types.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Pager } from '../components/pager.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { useListAddress } from '../components/use-list-address.ts'
import { TEMPLATES } from '../templates/actions.ts'
import { RunForm } from '../templates/run-form.tsx'
import { TemplateForm } from '../templates/template-form.tsx'
import { TemplateTable } from '../templates/template-table.tsx'

const SIZE = 50
const orders = [
  { value: 'name', label: 'By name' },
  { value: '-name', label: 'By name, Z to A' },
  { value: '-updatedAt', label: 'Last changed first' },
  { value: '-createdAt', label: 'Newest first' },
  { value: 'createdAt', label: 'Oldest first' },
]

export default function TemplatesPage() {
  const list = useListAddress(SIZE)
  const [name, sortBy] = [list.get('name'), list.get('sort') || 'name']
  const [edited, setEdited] = useState<Partial<QueryTemplate>>()
  const [run, setRun] = useState<QueryTemplate>()
  const query = useQuery({
    queryKey: ['templates', 'list', name, sortBy, list.page],
    queryFn: () =>
      api.get<Page<QueryTemplate>>(TEMPLATES, { query: { ...list.range, sortBy, ...(name && { name }) } }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeader title="Templates" about="Queries with parameters: each run asks for their values.">
        <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited({})}>
          New template
        </Button>
      </PageHeader>
      <Group mb="sm" gap="sm">
        <SearchField label="Search in the names" value={name} onChange={value => list.set('name', value)} />
        <Select
          aria-label="Order"
          w={190}
          allowDeselect={false}
          data={orders}
          value={sortBy}
          onChange={value => list.set('sort', value === 'name' ? '' : (value ?? ''))}
        />
      </Group>
      <Loaded query={query}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title={name ? 'No template is named like that' : 'No templates yet'}>
              {name
                ? 'Search for another part of its name.'
                : 'Make one with the button above, or save a query as one. Where a value should be asked for, it has $template.name$.'}
            </Empty>
          ) : (
            <>
              <TemplateTable templates={items} onRun={setRun} onEdit={setEdited} />
              <Pager page={list.page} size={SIZE} total={total} onChange={list.setPage} />
            </>
          )
        }
      </Loaded>
      {edited && <TemplateForm template={edited} onClose={() => setEdited(undefined)} />}
      {run && <RunForm template={run} onClose={() => setRun(undefined)} />}
    </>
  )
}
