import { ActionIcon, Menu, ScrollArea, Stack, Text, Tooltip } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { Failure } from '../components/states.tsx'
import { timeAgo } from '../components/time.tsx'
import { historyQuery } from './queries.ts'

const MOST = 20

/** The last queries; choosing one puts its text in. */
export function HistoryMenu({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({ ...historyQuery, enabled: isOpen })
  const seen = new Set<string>()
  const last = (data ?? []).filter(({ query }) => !seen.has(query) && seen.add(query)).slice(0, MOST)
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width={420} shadow="md">
      <Menu.Target>
        <Tooltip label="Last queries (Ctrl-Up, Ctrl-Down)">
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Last queries">
            <IconHistory size={18} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown maw="calc(100vw - 2rem)">
        <Menu.Label>Last queries</Menu.Label>
        {error && <Failure error={error} />}
        {data && last.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            None yet: what you run is kept here.
          </Text>
        )}
        <ScrollArea.Autosize mah={360}>
          {last.map(record => (
            <Menu.Item key={record.id} onClick={() => onChoose(record.query)}>
              <Stack gap={0}>
                <Text size="sm" ff="monospace" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                  {record.query}
                </Text>
                <Text size="xs" c="dimmed">
                  {record.status}, {timeAgo(record.createdAt)}
                </Text>
              </Stack>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        <Menu.Divider />
        <Menu.Item component={Link} href="/queries">
          All queries
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
