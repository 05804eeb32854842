import { Button, SimpleGrid } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { Page, ScheduledQuery } from '../api/types.ts'
import { PageHeader } from '../components/page-header.tsx'
import { Pager } from '../components/pager.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { useListAddress } from '../components/use-list-address.ts'
import { ScheduleCard } from '../schedules/schedule-card.tsx'
import { ScheduleForm } from '../schedules/schedule-form.tsx'

const SIZE = 20
const LIVE_MS = 5000

export default function SchedulesPage() {
  const list = useListAddress(SIZE)
  const [edited, setEdited] = useState<Partial<ScheduledQuery>>()
  const query = useQuery({
    queryKey: ['schedules', 'list', list.page],
    queryFn: () => api.get<Page<ScheduledQuery>>('/v1/sirp/scheduled', { query: list.range }),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_MS,
  })
  return (
    <>
      <PageHeader title="Schedules" about="Queries that run by themselves, at intervals or at set times.">
        <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited({})}>
          New schedule
        </Button>
      </PageHeader>
      <Loaded query={query}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title="Nothing is scheduled">
              Make a schedule with the button above, or from a query that you have just run.
            </Empty>
          ) : (
            <>
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
                {items.map(schedule => (
                  <ScheduleCard key={schedule.id} schedule={schedule} onEdit={() => setEdited(schedule)} />
                ))}
              </SimpleGrid>
              <Pager page={list.page} size={SIZE} total={total} onChange={list.setPage} />
            </>
          )
        }
      </Loaded>
      {edited && <ScheduleForm schedule={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}
