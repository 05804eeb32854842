import { Alert, Button, Center, Loader, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { wordsOf } from '../api/problem.ts'

export function Loading({ label = 'Loading' }: { readonly label?: string }) {
  return (
    <Center mih={160}>
      <Loader role="status" aria-label={label} />
    </Center>
  )
}

/** Nothing is here yet; `children` say how something gets here. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Center mih={160} p="md">
      <Stack align="center" gap="xs" maw={460} ta="center">
        <Text fw={600}>{title}</Text>
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
      </Stack>
    </Center>
  )
}

export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <Alert color="red" role="alert" title="That did not work" style={{ whiteSpace: 'pre-line' }}>
      <Stack gap="xs" align="flex-start">
        {wordsOf(error)}
        {onRetry && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** What was asked of the server, or why it is not there yet. */
export function Loaded<T>({
  query,
  children,
}: {
  readonly query: UseQueryResult<T>
  readonly children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <Loading />
}
