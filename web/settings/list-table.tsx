import { Table, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { count } from '../components/numbers.ts'

interface Column {
  readonly label: string
  readonly right?: boolean
}

interface ListTableProps {
  readonly label: string
  readonly columns: readonly (string | Column)[]
  readonly minWidth?: number
  /** Where the rows have no last cell with what can be done. */
  readonly withoutActions?: boolean
  /** How many there are in all, where not all are shown. */
  readonly total?: number
  readonly shown?: number
  readonly children: ReactNode
}

/** A plain table that scrolls by itself where the page is narrow. */
export function ListTable({
  label,
  columns,
  minWidth = 600,
  withoutActions = false,
  total = 0,
  shown = 0,
  children,
}: ListTableProps) {
  return (
    <>
      <Table.ScrollContainer
        minWidth={minWidth}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={label}
        // What is hidden but for screen readers is placed against this, not against the page, which would then scroll.
        pos="relative"
      >
        <Table verticalSpacing="xs" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {columns.map(given => {
                const column = typeof given === 'string' ? { label: given } : given
                return (
                  <Table.Th key={column.label} ta={column.right ? 'right' : 'left'}>
                    {column.label}
                  </Table.Th>
                )
              })}
              {!withoutActions && (
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {total > shown && (
        <Text size="sm" c="dimmed" mt="xs">
          The first {count(shown)} of {count(total)}.
        </Text>
      )}
    </>
  )
}
