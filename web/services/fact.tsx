import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface FactProps {
  readonly label: string
  readonly children: ReactNode
  /** One line below it. */
  readonly note?: ReactNode
}

/** A number worth a box of its own. */
export function Fact({ label, children, note }: FactProps) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={650} size="lg" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
      {note && (
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </Paper>
  )
}
