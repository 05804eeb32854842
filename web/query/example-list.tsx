import { Alert, Anchor, Code, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { Link } from 'wouter'
import { useSession } from '../session/session.tsx'
import { examplesOn } from './examples.ts'
import classes from './query.module.css'

/** Something to begin with, on the demo site that Forage brings along. */
export function ExampleList({ onChoose }: { readonly onChoose: (query: string) => void }) {
  const site = useSession().session?.demoAddress
  if (!site)
    return (
      <Alert color="gray" title="The demo site is off">
        The examples ask it. It runs with Forage unless <Code>FORAGE_DEMO</Code> is false, its port (
        <Code>FORAGE_DEMO_PORT</Code>) is taken, or Forage can be reached from outside.{' '}
        <Anchor component={Link} href="/commands" inherit underline="always">
          The reference of commands
        </Anchor>{' '}
        has examples that need no site.
      </Alert>
    )
  return (
    <Stack gap="sm" component="section" aria-labelledby="examples">
      <div>
        <Title order={2} size="h4" id="examples">
          Examples
        </Title>
        <Text size="sm" c="dimmed">
          A click runs one. They ask the demo shop at{' '}
          <Anchor href={site} target="_blank" rel="noreferrer noopener" inherit underline="always">
            {site}
          </Anchor>
          , which runs on this machine.
        </Text>
      </div>
      <div className={classes.examples}>
        {examplesOn(site).map(({ title, about, query }) => (
          <UnstyledButton key={title} className={classes.example} onClick={() => onChoose(query)}>
            <Text fw={600} size="sm">
              {title}
            </Text>
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          </UnstyledButton>
        ))}
      </div>
    </Stack>
  )
}
