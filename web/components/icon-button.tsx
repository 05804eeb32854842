import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

interface Properties extends ActionIconProps {
  readonly label: string
  readonly onClick: () => void
  readonly children: ReactNode
}

/** A button that is only a picture: its name is on it for those who do not see it, and above it for those who point at it. */
export function IconButton({ label, children, ...props }: Properties) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
