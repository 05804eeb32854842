import { Center, Loader, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { FirstUserPage } from '../session/first-user-page.tsx'
import { SessionProvider, useSession } from '../session/session.tsx'
import { SignInPage } from '../session/sign-in-page.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { styleNonce } from './nonce.ts'
import { queryClient } from './query-client.ts'
import { Shell } from './shell.tsx'
import { theme } from './theme.ts'

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <SessionProvider>
            {/* Not on the right: there they would lie over the buttons of a dialog. */}
            <Notifications position="bottom-left" />
            <ConnectionBanner />
            <Entrance />
          </SessionProvider>
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** Inside for whoever is signed in; the door for everybody else. */
function Entrance() {
  const { session } = useSession()
  if (session === undefined)
    return (
      <Center h="100%">
        <Loader role="status" aria-label="Loading" />
      </Center>
    )
  if (session === null) return <SignInPage />
  return session.hasUsers ? <Shell /> : <FirstUserPage />
}
