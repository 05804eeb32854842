import { ActionIcon, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import {
  IconArrowLeft,
  IconArrowRight,
  IconArrowsSort,
  IconChartHistogram,
  IconChevronDown,
  IconCopy,
  IconEyeOff,
  IconPin,
  IconPinnedOff,
  IconPlus,
  IconSortAscending,
  IconSortDescending,
} from '@tabler/icons-react'
import type { Sorting } from '../rows.ts'
import { type GridColumn, type GridColumns, nameOf } from './columns.ts'

interface Props {
  readonly column: GridColumn
  readonly columns: GridColumns
  readonly sort: Sorting | undefined
  readonly onSort: (sort: Sorting | undefined) => void
  readonly onCommands: () => void
  readonly onSummary: () => void
}

/** What can be done with a column. */
export function ColumnMenu({ column, columns, sort, onSort, onCommands, onSummary }: Props) {
  const clipboard = useClipboard()
  const name = nameOf(column)
  const isPinned = column.getIsPinned() === 'left'
  return (
    <Menu position="bottom-end" withinPortal width={230} shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Menu of ${name}`}>
          <IconChevronDown size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconSortAscending size={16} />}
          onClick={() => onSort({ column: name, order: 'asc' })}
        >
          Sort ascending
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSortDescending size={16} />}
          onClick={() => onSort({ column: name, order: 'desc' })}
        >
          Sort descending
        </Menu.Item>
        {sort?.column === name && (
          <Menu.Item leftSection={<IconArrowsSort size={16} />} onClick={() => onSort(undefined)}>
            Order as it came
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconPlus size={16} />} onClick={onCommands}>
          Add a command…
        </Menu.Item>
        <Menu.Item leftSection={<IconChartHistogram size={16} />} onClick={onSummary}>
          Summary of the column
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={isPinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
          onClick={() => column.pin(isPinned ? false : 'left')}
        >
          {isPinned ? 'Unpin' : 'Pin to the left'}
        </Menu.Item>
        {!isPinned && (
          <>
            <Menu.Item leftSection={<IconArrowLeft size={16} />} onClick={() => columns.move(column, -1)}>
              Move left
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowRight size={16} />} onClick={() => columns.move(column, 1)}>
              Move right
            </Menu.Item>
          </>
        )}
        <Menu.Item
          leftSection={<IconEyeOff size={16} />}
          onClick={() => column.toggleVisibility(false)}
          disabled={columns.shown.length === 1}
        >
          Hide
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => clipboard.copy(name)}>
          Copy the name
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
