import { Button, Menu } from '@mantine/core'
import { IconArrowLeft, IconDownload, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { quoteSegment } from '../../src/language/paths.ts'
import { api } from '../api/client.ts'
import type { ResultsPage } from '../api/types.ts'
import { counted } from '../components/numbers.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Pager } from '../components/pager.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { useListAddress } from '../components/use-list-address.ts'
import { writeAgain } from '../queries/actions.ts'
import { deleteFile, filePath } from './actions.ts'
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
              <RowsTable
                rows={results.map(({ content }) => content)}
                columns={columns}
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
