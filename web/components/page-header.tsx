import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

/** The name of a page, one line about it, and what can be done there. */
export function PageHeader({
  title,
  about,
  children,
}: {
  readonly title: string
  readonly about: ReactNode
  readonly children?: ReactNode
}) {
  useDocumentTitle(`${title} · Forage`)
  return (
    <Group justify="space-between" align="flex-start" mb="md">
      <Stack gap={2} maw={640}>
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text c="dimmed" size="sm" component="div">
          {about}
        </Text>
      </Stack>
      <Group gap="xs">{children}</Group>
    </Group>
  )
}
