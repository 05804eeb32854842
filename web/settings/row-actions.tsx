import { Group, Table } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { IconButton } from '../components/icon-button.tsx'

interface RowActionsProps {
  /** What the row is about, for those who only hear the buttons. */
  readonly name: string
  readonly onEdit?: () => void
  readonly onDelete?: () => void
  readonly children?: ReactNode
}

/** The last cell of a row: what can be done with it. */
export function RowActions({ name, onEdit, onDelete, children }: RowActionsProps) {
  return (
    <Table.Td>
      <Group gap={4} wrap="nowrap" justify="flex-end">
        {children}
        {onEdit && (
          <IconButton label={`Edit ${name}`} onClick={onEdit}>
            <IconPencil size={16} />
          </IconButton>
        )}
        {onDelete && (
          <IconButton label={`Delete ${name}`} color="red" onClick={onDelete}>
            <IconTrash size={16} />
          </IconButton>
        )}
      </Group>
    </Table.Td>
  )
}
