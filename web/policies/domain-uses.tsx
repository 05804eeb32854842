import { Code, Progress, Stack, Table, Text } from '@mantine/core'
import type { DomainUse } from '../api/types.ts'
import { count, counted } from '../components/numbers.ts'
import { Empty, Loaded } from '../components/states.tsx'
import { duration } from '../components/time.tsx'
import { useNow } from '../components/use-now.ts'
import { ListTable } from '../settings/list-table.tsx'
import { useList } from '../settings/use-list.ts'
import { DOMAINS } from './path.ts'
import { windows } from './windows.ts'

const EVERY_MS = 2000

/** How much of its limits each domain uses that is being asked, as it goes. */
export function DomainUses() {
  const uses = useList<DomainUse>(DOMAINS, EVERY_MS)
  return (
    <Loaded query={uses}>
      {({ items, total }) =>
        items.length === 0 ? (
          <Empty title="Nobody is asked at the moment">
            While a query fetches pages, the domains that it asks are here, with how much of each limit is
            used.
          </Empty>
        ) : (
          <ListTable
            label="Use of the limits"
            columns={['Domain', 'Policy', ...windows.map(({ label }) => label), 'Waiting']}
            minWidth={760}
            total={total}
            shown={items.length}
            withoutActions
          >
            {items.map(use => (
              <DomainRow key={use.domain} use={use} />
            ))}
          </ListTable>
        )
      }
    </Loaded>
  )
}

function DomainRow({ use }: { readonly use: DomainUse }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Code>{use.domain}</Code>
      </Table.Td>
      <Table.Td>{use.policy ? (use.policy.name ?? 'built in') : 'none'}</Table.Td>
      {windows.map(({ seconds, label }) => {
        const window = use.windows.find(item => item.seconds === seconds)
        return (
          <Table.Td key={seconds} miw={110}>
            <Meter
              label={`${use.domain}, ${label.toLowerCase()}`}
              used={window?.used ?? 0}
              limit={window?.limit ?? null}
            />
          </Table.Td>
        )
      })}
      <Table.Td>
        <Waiting use={use} />
      </Table.Td>
    </Table.Tr>
  )
}

interface MeterProps {
  readonly label: string
  readonly used: number
  readonly limit: number | null
}

function Meter({ label, used, limit }: MeterProps) {
  if (limit === null) return <Text size="sm">{used} · no limit</Text>
  const share = limit === 0 ? 100 : Math.min(100, (used / limit) * 100)
  return (
    <Stack gap={3}>
      <Text size="sm">
        {count(used)} of {count(limit)}
      </Text>
      <Progress.Root size="sm">
        <Progress.Section
          value={share}
          color={share >= 100 ? 'orange' : 'moss'}
          aria-label={label}
          aria-valuetext={`${used} of ${limit}`}
        />
      </Progress.Root>
    </Stack>
  )
}

function Waiting({ use: { waiting, nextAt, heldUntil } }: { readonly use: DomainUse }) {
  const now = useNow()
  const until = heldUntil ?? nextAt
  if (until === null) return '–'
  const left = Date.parse(until) - now
  return (
    <Stack gap={0}>
      {waiting > 0 && <Text size="sm">{counted(waiting, 'job')}</Text>}
      <Text size="xs" c="dimmed">
        {heldUntil
          ? `it asked for patience, ${duration(Math.max(0, left))} left`
          : left < 1000
            ? 'next at once'
            : `next in ${duration(left)}`}
      </Text>
    </Stack>
  )
}
