import { Button, Checkbox, Group, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import { counted } from '../../components/numbers.ts'
import { type GridColumns, nameOf } from './columns.ts'

/** As many as one looks through; the search finds the others. */
const MOST = 200

/** Shows and hides columns. */
export function ColumnsMenu({ columns }: { readonly columns: GridColumns }) {
  const [search, setSearch] = useState('')
  const hidden = columns.all.length - columns.shown.length
  const found = columns.all.filter(column => nameOf(column).toLowerCase().includes(search.toLowerCase()))
  return (
    <Popover position="bottom-end" width={280} shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <Button size="compact-sm" variant="default" leftSection={<IconColumns3 size={15} />}>
          {hidden === 0 ? 'Columns' : `Columns (${hidden} hidden)`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <TextInput
            size="xs"
            label="Search columns"
            value={search}
            onChange={event => setSearch(event.currentTarget.value)}
          />
          <ScrollArea.Autosize mah={280} viewportProps={{ tabIndex: 0 }}>
            <Stack gap={6} p={2}>
              {found.slice(0, MOST).map(column => (
                <Checkbox
                  key={column.id}
                  size="xs"
                  label={nameOf(column)}
                  checked={column.getIsVisible()}
                  disabled={column.getIsVisible() && columns.shown.length === 1}
                  onChange={event => column.toggleVisibility(event.currentTarget.checked)}
                />
              ))}
              {found.length > MOST && (
                <Text size="xs" c="dimmed">
                  and {counted(found.length - MOST, 'column')} more
                </Text>
              )}
            </Stack>
          </ScrollArea.Autosize>
          <Group justify="flex-end">
            <Button size="compact-xs" variant="subtle" disabled={hidden === 0} onClick={columns.showAll}>
              Show all
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
