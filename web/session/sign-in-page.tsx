import { Code, Group, Loader, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { wordsOf } from '../api/problem.ts'
import type { Session } from '../api/types.ts'
import { EntryCard } from './entry-card.tsx'
import { LoginForm } from './login-form.tsx'
import { useSession } from './session.tsx'

/** The token of a one-time link stands behind the `#`, where no server and no log sees it. */
function takeLinkToken(): string | undefined {
  const token = location.hash.slice(1)
  if (location.pathname !== '/sign-in' || token === '') return undefined
  history.replaceState(null, '', '/sign-in')
  return token
}

/** Shown while nobody is signed in, whatever the address. */
export function SignInPage() {
  const { begin } = useSession()
  const [linkToken] = useState(takeLinkToken)
  const [linkProblem, setLinkProblem] = useState<string>()

  const signIn = async (body: object) => {
    begin(await api.post<Session>('/session', body))
    if (location.pathname === '/sign-in') history.replaceState(null, '', '/')
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a link is used once
  useEffect(() => {
    if (linkToken !== undefined) signIn({ token: linkToken }).catch(error => setLinkProblem(wordsOf(error)))
  }, [])

  // No form yet: what is typed into it would be lost as soon as the link has worked.
  if (linkToken !== undefined && linkProblem === undefined)
    return (
      <EntryCard title="Sign in to Forage">
        <Group role="status">
          <Loader size="sm" />
          Signing in by the link…
        </Group>
      </EntryCard>
    )
  return (
    <EntryCard title="Sign in to Forage">
      <LoginForm action="Sign in" problem={linkProblem} onSubmit={signIn}>
        <Text size="sm" c="dimmed">
          First time here? Open the sign-in link that <Code>npm start</Code> printed in the terminal; it makes
          the first user.
        </Text>
      </LoginForm>
    </EntryCard>
  )
}
