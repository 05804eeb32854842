import { Button, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'

interface State {
  readonly error: Error | undefined
}

/** A page that breaks takes nothing else with it, and says so. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: undefined }

  static getDerivedStateFromError(error: Error): State {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <Stack align="flex-start" maw={640}>
        <Title order={1} size="h3">
          This page could not be shown
        </Title>
        <Text>{error.message}</Text>
        <Text c="dimmed" size="sm">
          After an update of Forage its pages have to be loaded anew; otherwise this is a mistake of ours.
        </Text>
        <Button onClick={() => window.location.reload()}>Load the page again</Button>
      </Stack>
    )
  }
}
