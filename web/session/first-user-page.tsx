import { Text } from '@mantine/core'
import { api } from '../api/client.ts'
import type { Session } from '../api/types.ts'
import { EntryCard } from './entry-card.tsx'
import { LoginForm } from './login-form.tsx'
import { useSession } from './session.tsx'

/** For whoever came by the one-time link while there is no user: the link does not work twice. */
export function FirstUserPage() {
  const { begin } = useSession()
  return (
    <EntryCard title="Welcome to Forage">
      <LoginForm
        action="Create the user"
        isNew
        onSubmit={async login => begin(await api.post<Session>('/session/first-user', login))}
      >
        <Text size="sm" c="dimmed">
          With these you sign in from now on; the link that brought you here is used up.
        </Text>
      </LoginForm>
    </EntryCard>
  )
}
