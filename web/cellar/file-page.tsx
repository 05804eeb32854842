import { Button, Menu, Switch } from '@mantine/core'
import { IconArrowLeft, IconDownload, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { quoteSegment } from '../../src/language/paths.ts'
import { api } from '../api/client.ts'
import type { CellarManifest, ResultsPage } from '../api/types.ts'
import { counted } from '../components/numbers.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Pager } from '../components/pager.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { useListAddress } from '../components/use-list-address.ts'
import { writeAgain } from '../queries/actions.ts'
import { isGone } from '../query/queries.ts'
import { deleteFile, filePath, manifestPath } from './actions.ts'
import { viewOf, visibleColumns } from './attributes-view.ts'
import { ExportItems } from './file-table.tsx'
import { thawQuery } from './names.ts'
import { type Order, RowsTable } from './rows-table.tsx'

const SIZE = 100

/** The rows of one file of the cellar. */
export function FilePage({ name }: { readonly name: string }) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const list = useListAddress(SIZE)
  const [order, setOrder] = useState<Order>()
  const [isWhole, setWhole] = useState(false)
  const view = viewOf(useManifest(name)?.attributesContext)
  const query = useQuery({
    queryKey: ['cellar', 'rows', name, list.page, order],
    queryFn: ({ signal }) =>
      api.get<ResultsPage>(filePath(name), {
        query: {
          ...list.range,
          ...(order && { sort: true, sortKey: quoteSegment(order.column), sortOrder: order.direction }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Button
        component={Link}
        href="/cellar"
        variant="subtle"
        color="gray"
        size="compact-sm"
        mb={4}
        leftSection={<IconArrowLeft size={16} />}
      >
        Cellar
      </Button>
      <PageHeader
        title={name}
        about={
          query.data
            ? `${counted(query.data.total, 'row')}, ${counted(query.data.columns.length, 'column')}`
            : 'A file of the cellar'
        }
      >
        <Button
          component={Link}
          href={writeAgain(thawQuery(name))}
          leftSection={<IconPlayerPlay size={16} />}
        >
          Use in a query
        </Button>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<IconDownload size={16} />}>
              Export
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <ExportItems name={name} />
          </Menu.Dropdown>
        </Menu>
        <Button
          variant="default"
          leftSection={<IconTrash size={16} />}
          onClick={() => deleteFile(name, client, () => navigate('/cellar'))}
        >
          Delete
        </Button>
      </PageHeader>
      <Loaded query={query}>
        {({ results, columns, total, offset }) =>
          total === 0 ? (
            <Empty title="It has no rows">
              A query that freezes to it, or an upload that replaces it, gives it some.
            </Empty>
          ) : (
            <>
              {view.visible.length > 0 && (
                <Switch
                  mb="sm"
                  label="All columns, also those that the manifest hides"
                  checked={isWhole}
                  onChange={event => setWhole(event.currentTarget.checked)}
                />
              )}
              <RowsTable
                rows={results.map(({ content }) => content)}
                columns={isWhole ? columns : visibleColumns(columns, view)}
                renderers={view.renderers}
                firstNumber={offset + 1}
                order={order}
                onOrder={next => {
                  setOrder(next)
                  list.setPage(1)
                }}
              />
              <Pager page={list.page} size={SIZE} total={total} onChange={list.setPage} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** The manifest of the same name, which says how the rows are shown; most files have none. */
function useManifest(name: string): CellarManifest | null | undefined {
  return useQuery({
    queryKey: ['cellar', 'manifest', name],
    queryFn: ({ signal }) =>
      api.get<CellarManifest>(manifestPath(name), { signal }).catch(error => {
        if (isGone(error)) return null
        throw error
      }),
  }).data
}
