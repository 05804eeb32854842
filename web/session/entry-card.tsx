import { Card, Center, Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** The card in the middle of an otherwise empty page that one signs in by. */
export function EntryCard({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Center component="main" mih="100%" p="md" bg="var(--mantine-color-body)">
      <Card withBorder shadow="sm" padding="xl" w={400} maw="100%">
        <Stack>
          <Group>
            <img src="/favicon.svg" alt="" width={36} height={36} />
            <Title order={1} size="h3">
              {title}
            </Title>
          </Group>
          {children}
        </Stack>
      </Card>
    </Center>
  )
}
