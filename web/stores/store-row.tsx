import { Button, Code, Group, Stack, Table, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconPlugConnected } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api, segment } from '../api/client.ts'
import { wordsOf } from '../api/problem.ts'
import type { Store, StoreTest } from '../api/types.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { count } from '../components/numbers.ts'
import { Time } from '../components/time.tsx'
import { RowActions } from '../settings/row-actions.tsx'
import { STORES } from './path.ts'

interface StoreRowProps {
  readonly store: Store
  /** The type in words. */
  readonly title: string
  readonly onEdit: () => void
  readonly onDelete: () => void
}

export function StoreRow({ store, title, onEdit, onDelete }: StoreRowProps) {
  const test = useMutation({
    mutationFn: () => api.post<StoreTest>(`${STORES}/${segment(store.name)}/test`),
  })
  const usage = `freeze --store ${quoted(store.name)}`
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2} maw={380}>
          <Text size="sm" fw={500}>
            {store.name}
          </Text>
          <Group gap={2} wrap="nowrap">
            <Code>{usage}</Code>
            <CopyButton value={usage} label={`Copy ${usage}`} />
          </Group>
          <div role="status">
            {test.isError && <Answer ok={false} text={wordsOf(test.error)} />}
            {test.data && <Answer ok={test.data.ok} text={test.data.message ?? 'It answers.'} />}
          </div>
        </Stack>
      </Table.Td>
      <Table.Td>{title}</Table.Td>
      <Table.Td ta="right">{count(store.deliveries)}</Table.Td>
      <Table.Td ta="right">
        {count(store.rows)}
        {store.refused > 0 && (
          <Text size="xs" c="dimmed">
            {count(store.refused)} refused
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <LastDelivery store={store} />
      </Table.Td>
      <RowActions name={store.name} onEdit={onEdit} onDelete={onDelete}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlugConnected size={14} />}
          loading={test.isPending}
          aria-label={`Test ${store.name}`}
          onClick={() => test.mutate()}
        >
          Test
        </Button>
      </RowActions>
    </Table.Tr>
  )
}

/** As a query takes it: a name with a space needs quotes. */
const quoted = (name: string): string => (/^[\w.-]+$/.test(name) ? name : `"${name}"`)

function Answer({ ok, text }: { readonly ok: boolean; readonly text: string }) {
  const color = ok ? 'var(--mantine-color-moss-text)' : 'var(--mantine-color-error)'
  const Icon = ok ? IconCircleCheck : IconAlertTriangle
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Icon size={16} color={color} style={{ flex: 'none', marginTop: 2 }} />
      <Text size="sm" c={color} style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </Group>
  )
}

function LastDelivery({ store: { lastSuccessAt, lastError } }: { readonly store: Store }) {
  return (
    <Stack gap={2} maw={300}>
      {lastSuccessAt || !lastError ? <Time at={lastSuccessAt} /> : null}
      {lastError && (
        <Text size="xs" c="var(--mantine-color-error)" lineClamp={3} title={lastError.message}>
          Failed <Time at={lastError.at} />: {lastError.message}
        </Text>
      )}
    </Stack>
  )
}
