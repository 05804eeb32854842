import { Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

interface RowTableProps {
  readonly label: string
  readonly minWidth: number
  /** The cells above the columns, but for the last column, which has what can be done with a row. */
  readonly head: ReactNode
  readonly children: ReactNode
}

/** A table that scrolls by itself where the page is narrow. */
export const RowTable = ({ label, minWidth, head, children }: RowTableProps) => (
  <Table.ScrollContainer
    minWidth={minWidth}
    scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': label } }}
  >
    <Table verticalSpacing="xs" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          {head}
          <Table.Th>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
