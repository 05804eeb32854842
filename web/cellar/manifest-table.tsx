import { Anchor, Badge, Menu, Table, Text } from '@mantine/core'
import { IconAlertTriangle, IconHandClick, IconListDetails } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { CellarManifest } from '../api/types.ts'
import { showFailure } from '../components/notices.ts'
import { bytes, count, counted } from '../components/numbers.ts'
import { RowMenu } from '../components/row-menu.tsx'
import { RowTable } from '../components/row-table.tsx'
import { Time } from '../components/time.tsx'
import { deleteManifest, touchManifest } from './actions.ts'

interface Actions {
  readonly onOpen: (manifest: CellarManifest) => void
  readonly onError: (manifest: CellarManifest) => void
}

export function ManifestTable({
  manifests,
  ...actions
}: Actions & { readonly manifests: readonly CellarManifest[] }) {
  return (
    <RowTable
      label="Manifests"
      minWidth={640}
      head={
        <>
          <Table.Th>Name</Table.Th>
          <Table.Th>Store</Table.Th>
          <Table.Th ta="right">Deliveries</Table.Th>
          <Table.Th ta="right">Rows</Table.Th>
          <Table.Th ta="right">Size</Table.Th>
          <Table.Th>Last delivery</Table.Th>
          <Table.Th>Errors</Table.Th>
        </>
      }
    >
      {manifests.map(manifest => (
        <ManifestRow key={manifest.name} manifest={manifest} {...actions} />
      ))}
    </RowTable>
  )
}

function ManifestRow({ manifest, ...actions }: Actions & { readonly manifest: CellarManifest }) {
  const { name, store, type, deliveries, rows, bytes: size, touchedAt } = manifest
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Anchor component="button" size="sm" fw={600} ta="left" onClick={() => actions.onOpen(manifest)}>
          {name}
        </Anchor>
      </Table.Td>
      <Table.Td>
        {store}{' '}
        <Badge variant="default" size="sm" tt="none" fw={500}>
          {type}
        </Badge>
      </Table.Td>
      <Table.Td ta="right">{count(deliveries)}</Table.Td>
      <Table.Td ta="right">{count(rows)}</Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {bytes(size)}
      </Table.Td>
      <Table.Td>
        <Time at={touchedAt} />
      </Table.Td>
      <Table.Td maw={260}>
        <Errors errors={manifest.errors} />
      </Table.Td>
      <Table.Td w={44}>
        <ManifestMenu manifest={manifest} {...actions} />
      </Table.Td>
    </Table.Tr>
  )
}

function Errors({ errors: { count: number, at, message } }: Pick<CellarManifest, 'errors'>) {
  if (number === 0)
    return (
      <Text size="sm" c="dimmed">
        None
      </Text>
    )
  return (
    <Text size="sm" component="div">
      <Text span size="sm" c="var(--mantine-color-error)" fw={600}>
        {counted(number, 'error')}
      </Text>
      , <Time at={at} />
      {message && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {message}
        </Text>
      )}
    </Text>
  )
}

function ManifestMenu({ manifest, onOpen, onError }: Actions & { readonly manifest: CellarManifest }) {
  const client = useQueryClient()
  return (
    <RowMenu label={`Actions for ${manifest.name}`} onDelete={() => deleteManifest(manifest, client)}>
      <Menu.Item leftSection={<IconListDetails size={16} />} onClick={() => onOpen(manifest)}>
        Details
      </Menu.Item>
      <Menu.Item
        leftSection={<IconHandClick size={16} />}
        onClick={() => touchManifest(manifest, client).catch(showFailure)}
      >
        Touch: a delivery happened now
      </Menu.Item>
      <Menu.Item leftSection={<IconAlertTriangle size={16} />} onClick={() => onError(manifest)}>
        Note an error
      </Menu.Item>
    </RowMenu>
  )
}
