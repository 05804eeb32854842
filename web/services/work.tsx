import { Anchor, Code, SimpleGrid, Stack, Table } from '@mantine/core'
import { Link } from 'wouter'
import type { Job, Worker } from '../api/types.ts'
import { count } from '../components/numbers.ts'
import { Empty, Loaded } from '../components/states.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { Time } from '../components/time.tsx'
import { ListTable } from '../settings/list-table.tsx'
import { useList } from '../settings/use-list.ts'
import { Fact } from './fact.tsx'

const EVERY_MS = 2000
/** A query may have thousands of them; the first ones show what goes on. */
const SHOWN_JOBS = 20

/** What is queued, running and waiting, and who works on it. */
export function Work() {
  const jobs = useList<Job>('/v1/jobs', EVERY_MS, SHOWN_JOBS)
  const workers = useList<Worker>('/v1/workers', EVERY_MS)
  return (
    <Stack gap="sm">
      <Loaded query={workers}>
        {({ items }) => (
          <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }} spacing="xs">
            {items.map(({ id, running, limit, startedAt }) => (
              <Fact
                key={id}
                label={`Worker ${id}`}
                note={
                  <>
                    since <Time at={startedAt} />
                  </>
                }
              >
                {count(running)} of {count(limit)} jobs
              </Fact>
            ))}
          </SimpleGrid>
        )}
      </Loaded>
      <Loaded query={jobs}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title="Nothing is queued, running or waiting">
              While a query fetches something for each row, each of these jobs is here.
            </Empty>
          ) : (
            <JobTable items={items} total={total} />
          )
        }
      </Loaded>
    </Stack>
  )
}

function JobTable({ items, total }: { readonly items: readonly Job[]; readonly total: number }) {
  return (
    <ListTable
      label="Jobs"
      columns={[
        'Command',
        'Status',
        'Query',
        { label: 'Stage', right: true },
        { label: 'Row', right: true },
        'Waits for',
        'Since',
      ]}
      minWidth={700}
      total={total}
      shown={items.length}
      withoutActions
    >
      {items.map(job => (
        <Table.Tr key={job.id}>
          <Table.Td>
            <Code>{job.command}</Code>
          </Table.Td>
          <Table.Td miw={104}>
            <StatusBadge status={job.status} />
          </Table.Td>
          <Table.Td>
            <Anchor component={Link} href={`/queries/${job.queryId}`} size="sm">
              {job.queryId.slice(0, 8)}
            </Anchor>
          </Table.Td>
          <Table.Td ta="right">{job.stage + 1}</Table.Td>
          <Table.Td ta="right">{job.row === null ? '–' : count(job.row + 1)}</Table.Td>
          <Table.Td>{job.domain ?? '–'}</Table.Td>
          <Table.Td>
            <Time at={job.since} />
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}
