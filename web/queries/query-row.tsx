import { Anchor, Checkbox, Menu, Table, Text } from '@mantine/core'
import { IconExternalLink, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { QueryRecord } from '../api/types.ts'
import { showFailure } from '../components/notices.ts'
import { count, counted } from '../components/numbers.ts'
import { QueryText } from '../components/query-text.tsx'
import { RowMenu } from '../components/row-menu.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { duration, Time } from '../components/time.tsx'
import { useNow } from '../components/use-now.ts'
import { cancelQueries, deleteQueries, isUnderWay, writeAgain } from './actions.ts'

export function QueryRow({
  query,
  isSelected,
  onToggle,
}: {
  readonly query: QueryRecord
  readonly isSelected: boolean
  readonly onToggle: () => void
}) {
  const name = query.query.slice(0, 80)
  return (
    <Table.Tr bg={isSelected ? 'var(--mantine-color-default-hover)' : undefined}>
      <Table.Td>
        <Checkbox aria-label={`Choose ${name}`} checked={isSelected} onChange={onToggle} />
      </Table.Td>
      <Table.Td maw={560}>
        <Anchor component={Link} href={`/queries/${query.id}`} c="inherit">
          <QueryText>{query.query}</QueryText>
        </Anchor>
        {query.error && (
          <Text size="xs" c="var(--mantine-color-error)" lineClamp={1}>
            {query.error.message}
          </Text>
        )}
        <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
          <Time at={query.createdAt} /> · {counted(query.rows ?? 0, 'row')}
        </Text>
        <Origin query={query} />
      </Table.Td>
      <Table.Td>
        <StatusBadge status={query.status} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Time at={query.createdAt} />
      </Table.Td>
      <Table.Td visibleFrom="xl">
        <Time at={query.finishedAt} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
        {query.status === 'running' && query.startedAt ? (
          <Elapsed since={query.startedAt} />
        ) : (
          duration(query.durationMs)
        )}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {count(query.rows)}
      </Table.Td>
      <Table.Td
        ta="right"
        visibleFrom="sm"
        c={query.failedRows > 0 ? 'var(--mantine-color-error)' : 'dimmed'}
      >
        {count(query.failedRows)}
      </Table.Td>
      <Table.Td w={44} px={4}>
        <QueryMenu query={query} name={name} />
      </Table.Td>
    </Table.Tr>
  )
}

/** Who ran it, and whether anybody had to be asked for its rows. */
function Origin({ query }: { readonly query: QueryRecord }) {
  const words = [
    query.scheduledId && 'by a schedule',
    query.templateId && 'from a template',
    query.fromCache && 'rows from the cache',
  ].filter(Boolean)
  if (words.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {words.join(', ')}
    </Text>
  )
}

const Elapsed = ({ since }: { readonly since: string }) => (
  <>{duration(Math.max(0, useNow() - new Date(since).getTime()))}</>
)

function QueryMenu({ query, name }: { readonly query: QueryRecord; readonly name: string }) {
  const client = useQueryClient()
  return (
    <RowMenu label={`Actions for ${name}`} onDelete={() => deleteQueries([query], client)}>
      <Menu.Item component={Link} href={`/queries/${query.id}`} leftSection={<IconExternalLink size={16} />}>
        Open
      </Menu.Item>
      <Menu.Item component={Link} href={writeAgain(query.query)} leftSection={<IconPlayerPlay size={16} />}>
        Run again
      </Menu.Item>
      {isUnderWay(query) && (
        <Menu.Item
          leftSection={<IconPlayerStop size={16} />}
          onClick={() => cancelQueries([query], client).catch(showFailure)}
        >
          Cancel
        </Menu.Item>
      )}
    </RowMenu>
  )
}
