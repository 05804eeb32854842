import { Button, Group, Paper, Text } from '@mantine/core'
import { IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { QueryRecord } from '../api/types.ts'
import { showFailure } from '../components/notices.ts'
import { cancelQueries, deleteQueries, isUnderWay } from './actions.ts'

/** What can be done with all queries that were chosen. */
export function SelectionBar({
  chosen,
  onClear,
}: {
  readonly chosen: readonly QueryRecord[]
  readonly onClear: () => void
}) {
  const client = useQueryClient()
  if (chosen.length === 0) return null
  const running = chosen.filter(isUnderWay)
  return (
    <Paper withBorder p="xs" mb="sm" bg="var(--mantine-color-default-hover)">
      <Group justify="space-between">
        <Text size="sm" fw={600} role="status">
          {chosen.length} chosen
        </Text>
        <Group gap="xs">
          {running.length > 0 && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlayerStop size={14} />}
              onClick={() => cancelQueries(running, client).catch(showFailure)}
            >
              Cancel {running.length}
            </Button>
          )}
          <Button
            size="compact-sm"
            color="red"
            leftSection={<IconTrash size={14} />}
            onClick={() => deleteQueries(chosen, client, onClear)}
          >
            Delete {chosen.length}
          </Button>
          <Button size="compact-sm" variant="default" onClick={onClear}>
            Choose none
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
