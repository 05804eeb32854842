import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ExportFormat, exportAddress, type RowsView } from './rows.ts'

const formats: readonly { readonly format: ExportFormat; readonly label: string; readonly safe?: boolean }[] =
  [
    { format: 'csv', label: 'CSV' },
    { format: 'csv', label: 'CSV, safe for spreadsheets', safe: true },
    { format: 'ndjson', label: 'NDJSON, a row on each line' },
    { format: 'json', label: 'JSON, one array' },
    { format: 'parquet', label: 'Parquet' },
  ]

/** All rows as a file, in the order in which they are shown. The server streams it: a million rows are no different. */
export function ExportMenu({ view }: { readonly view: RowsView }) {
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <Button size="compact-sm" variant="default" leftSection={<IconDownload size={15} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All rows, as they are sorted</Menu.Label>
        {formats.map(({ format, label, safe }) => (
          <Menu.Item key={label} component="a" href={exportAddress(view, format, safe)} download>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
