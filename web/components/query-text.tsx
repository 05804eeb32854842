import { Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** The text of a query where there is only room for its first lines. */
export function QueryText({
  children,
  lines = 2,
  ...props
}: TextProps & { readonly children: ReactNode; readonly lines?: number }) {
  return (
    <Text
      ff="monospace"
      size="sm"
      lineClamp={lines}
      style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
      {...props}
    >
      {children}
    </Text>
  )
}
