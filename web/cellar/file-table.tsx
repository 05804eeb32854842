import { Anchor, Badge, Menu, Table, Tooltip } from '@mantine/core'
import { IconDownload, IconPlayerPlay, IconTable } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { segment } from '../api/client.ts'
import type { CellarFile } from '../api/types.ts'
import { bytes, count } from '../components/numbers.ts'
import { RowMenu } from '../components/row-menu.tsx'
import { RowTable } from '../components/row-table.tsx'
import { Time } from '../components/time.tsx'
import { writeAgain } from '../queries/actions.ts'
import { deleteFile, exportAddress } from './actions.ts'
import { thawQuery } from './names.ts'

const browseAddress = (name: string): string => `/cellar/${segment(name)}`

export function FileTable({ files }: { readonly files: readonly CellarFile[] }) {
  return (
    <RowTable
      label="Files"
      minWidth={340}
      head={
        <>
          <Table.Th>Name</Table.Th>
          <Table.Th visibleFrom="sm">Came as</Table.Th>
          <Table.Th ta="right">Rows</Table.Th>
          <Table.Th ta="right">Columns</Table.Th>
          <Table.Th ta="right" visibleFrom="xs">
            Size
          </Table.Th>
          <Table.Th visibleFrom="md">Created</Table.Th>
          <Table.Th visibleFrom="xs">Changed</Table.Th>
        </>
      }
    >
      {files.map(file => (
        <FileRow key={file.name} file={file} />
      ))}
    </RowTable>
  )
}

function FileRow({ file }: { readonly file: CellarFile }) {
  const columns = file.columns ?? []
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} href={browseAddress(file.name)} size="sm" fw={600}>
          {file.name}
        </Anchor>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Badge variant="default" size="sm" tt="none" fw={500}>
          {file.format}
        </Badge>
      </Table.Td>
      <Table.Td ta="right">{count(file.rows)}</Table.Td>
      <Table.Td ta="right">
        <Tooltip
          label={columns
            .map(({ name }) => name)
            .join(', ')
            .slice(0, 500)}
          multiline
          maw={360}
          disabled={columns.length === 0}
        >
          <span>{count(columns.length)}</span>
        </Tooltip>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="xs" style={{ whiteSpace: 'nowrap' }}>
        {bytes(file.bytes)}
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Time at={file.createdAt} />
      </Table.Td>
      <Table.Td visibleFrom="xs">
        <Time at={file.updatedAt} />
      </Table.Td>
      <Table.Td w={44}>
        <FileMenu name={file.name} />
      </Table.Td>
    </Table.Tr>
  )
}

function FileMenu({ name }: { readonly name: string }) {
  const client = useQueryClient()
  return (
    <RowMenu label={`Actions for ${name}`} onDelete={() => deleteFile(name, client)}>
      <Menu.Item component={Link} href={browseAddress(name)} leftSection={<IconTable size={16} />}>
        Browse the rows
      </Menu.Item>
      <Menu.Item
        component={Link}
        href={writeAgain(thawQuery(name))}
        leftSection={<IconPlayerPlay size={16} />}
      >
        Use in a query
      </Menu.Item>
      <Menu.Divider />
      <ExportItems name={name} />
    </RowMenu>
  )
}

export function ExportItems({ name }: { readonly name: string }) {
  const icon = <IconDownload size={16} />
  return (
    <>
      <Menu.Item component="a" href={exportAddress(name, 'csv')} download leftSection={icon}>
        Export as CSV
      </Menu.Item>
      <Menu.Item component="a" href={exportAddress(name, 'csv', true)} download leftSection={icon}>
        Export as CSV, safe for spreadsheets
      </Menu.Item>
      <Menu.Item component="a" href={exportAddress(name, 'ndjson')} download leftSection={icon}>
        Export as NDJSON
      </Menu.Item>
    </>
  )
}
