import { Badge, Button, Table, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { All, LicenseStatus, ServiceStatus } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { showDone } from '../components/notices.ts'
import { count } from '../components/numbers.ts'
import { Loaded } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { ListTable } from '../settings/list-table.tsx'
import { RowActions } from '../settings/row-actions.tsx'
import { LICENSE_STATUS, SERVICE_STATUS } from './path.ts'
import { purposes } from './purposes.ts'

const EVERY_MS = 2000

const COLORS: Readonly<Record<ServiceStatus['status'], string>> = {
  running: 'moss',
  starting: 'blue',
  stopped: 'gray',
  failed: 'red',
}

export function ServiceTable() {
  const client = useQueryClient()
  const statuses = useQuery({
    queryKey: [SERVICE_STATUS],
    queryFn: ({ signal }) => api.get<All<ServiceStatus>>(SERVICE_STATUS, { signal }),
    refetchInterval: EVERY_MS,
  })
  const licenses = useQuery({
    queryKey: [LICENSE_STATUS],
    queryFn: ({ signal }) => api.get<All<LicenseStatus>>(LICENSE_STATUS, { signal }),
  })
  const restart = (service: string) =>
    confirmThen({
      title: `Restart ${service}?`,
      text: 'What it does at this moment is interrupted and taken up again where that is possible. The others run on.',
      action: 'Restart',
      run: async () => {
        await api.post(`/v1/sirp/services/${service}/restart`)
        await client.invalidateQueries({ queryKey: [SERVICE_STATUS] })
        showDone(`${service} restarts.`)
      },
    })
  return (
    <Loaded query={statuses}>
      {({ items }) => (
        <ListTable
          label="Services"
          columns={[
            'Service',
            'Status',
            'Since',
            { label: 'Restarts', right: true },
            'At this moment',
            'License',
          ]}
          minWidth={860}
        >
          {items.map(status => (
            <ServiceRow
              key={status.service}
              status={status}
              license={licenses.data?.items.find(({ service }) => service === status.service)}
              onRestart={() => restart(status.service)}
            />
          ))}
        </ListTable>
      )}
    </Loaded>
  )
}

interface ServiceRowProps {
  readonly status: ServiceStatus
  readonly license: LicenseStatus | undefined
  readonly onRestart: () => void
}

function ServiceRow({
  status: { service, status, since, restarts, detail },
  license,
  onRestart,
}: ServiceRowProps) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500}>
          {service}
        </Text>
        <Text size="xs" c="dimmed">
          {purposes[service]}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={COLORS[status]} tt="none" miw="max-content">
          {status}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Time at={since} />
      </Table.Td>
      <Table.Td ta="right">{count(restarts)}</Table.Td>
      <Table.Td maw={320} c={status === 'failed' ? 'var(--mantine-color-error)' : undefined}>
        {detail}
      </Table.Td>
      <Table.Td>{license ? (license.licensed ? license.plan : 'none') : '–'}</Table.Td>
      <RowActions name={service}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          aria-label={`Restart ${service}`}
          onClick={onRestart}
        >
          Restart
        </Button>
      </RowActions>
    </Table.Tr>
  )
}
