import { Alert, Code, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { BrowserSystem } from '../api/types.ts'
import { count, counted } from '../components/numbers.ts'
import { Loaded } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { ListTable } from '../settings/list-table.tsx'
import { Fact } from './fact.tsx'

const SYSTEM = '/v1/krull/system'
const EVERY_MS = 3000

/** The browser, its contexts, and what went wrong last. */
export function BrowserPool() {
  const system = useQuery({
    queryKey: [SYSTEM],
    queryFn: ({ signal }) => api.get<BrowserSystem>(SYSTEM, { signal }),
    refetchInterval: EVERY_MS,
  })
  return (
    <Stack gap="sm">
      <Loaded query={system}>
        {data => (
          <>
            {!data.healthy && (
              <Alert color="red" role="alert" title="The browser does not work">
                {data.problem}
              </Alert>
            )}
            <Numbers system={data} />
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {data.browser ?? 'No browser runs yet; the first page starts one.'}
              {data.executable && (
                <>
                  {' '}
                  from <Code>{data.executable}</Code>
                </>
              )}
              {data.sandbox !== null && `, ${data.sandbox ? 'in its sandbox' : 'without its sandbox'}`}
            </Text>
            {data.browsers.length > 0 && <Browsers browsers={data.browsers} />}
            <LastErrors errors={data.errors} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function Numbers({ system: { contexts, workers, jobs, restarts } }: { readonly system: BrowserSystem }) {
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }} spacing="xs">
      <Fact label="Contexts" note={`${contexts.busy} busy`}>
        {contexts.ready} ready
      </Fact>
      <Fact label="Pages at once" note={`at most ${workers.limit}`}>
        {workers.active}
      </Fact>
      <Fact label="In the queue">{count(workers.queued)}</Fact>
      <Fact label="Pages done" note={`${count(jobs.failed)} failed, ${count(jobs.retried)} tried again`}>
        {count(jobs.done)}
      </Fact>
      <Fact label="Browser restarts">{count(restarts)}</Fact>
    </SimpleGrid>
  )
}

function Browsers({ browsers }: { readonly browsers: BrowserSystem['browsers'] }) {
  return (
    <ListTable
      label="Browsers that run"
      columns={[
        'Process',
        'Started',
        { label: 'Pages', right: true },
        { label: 'Contexts', right: true },
        { label: 'Memory', right: true },
      ]}
      minWidth={420}
      withoutActions
    >
      {browsers.map(({ pid, startedAt, jobs, contexts, memoryMb }) => (
        <Table.Tr key={pid}>
          <Table.Td>{pid}</Table.Td>
          <Table.Td>
            <Time at={startedAt} />
          </Table.Td>
          <Table.Td ta="right">{count(jobs)}</Table.Td>
          <Table.Td ta="right">{count(contexts)}</Table.Td>
          <Table.Td ta="right">{memoryMb === null ? '–' : `${count(Math.round(memoryMb))} MB`}</Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  )
}

function LastErrors({ errors }: { readonly errors: BrowserSystem['errors'] }) {
  if (errors.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No page has failed since it started.
      </Text>
    )
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        Last errors ({counted(errors.length, 'error')})
      </Title>
      <ListTable
        label="Last errors"
        columns={['When', 'Code', 'What happened']}
        minWidth={480}
        withoutActions
      >
        {errors.map(({ at, code, message }) => (
          <Table.Tr key={`${at} ${message}`}>
            <Table.Td>
              <Time at={at} />
            </Table.Td>
            <Table.Td>
              <Code>{code}</Code>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{message}</Table.Td>
          </Table.Tr>
        ))}
      </ListTable>
    </div>
  )
}
