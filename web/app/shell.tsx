import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { Loading } from '../components/states.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Navigation } from './navigation.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { groups } from './pages.ts'
import { UserMenu } from './user-menu.tsx'

const pages = groups.flatMap(group => group.pages)

/** The frame around every page: the header, the navigation, and the page itself. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure()
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header>
        <a className="skip-link" href="#page">
          Skip to the page
        </a>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close the navigation' : 'Open the navigation'}
            />
            <img src="/favicon.svg" alt="" width={26} height={26} />
            <Text fw={650} size="lg">
              Forage
            </Text>
          </Group>
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages" data-closed={opened ? undefined : true}>
        <AppShell.Section grow component={ScrollArea}>
          <Navigation onNavigate={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1}>
        <ErrorBoundary>
          <Suspense fallback={<Loading />}>
            <Switch>
              {pages.map(({ path, page }) => (
                <Route key={path} path={path} component={page} />
              ))}
              {pages
                .filter(({ path }) => path === '/queries' || path === '/cellar')
                .map(({ path, page }) => (
                  <Route
                    // The page of a query is that on which it was written, and stays as it is when it is run.
                    key={path === '/queries' ? '/' : path}
                    path={`${path}/:id`}
                    component={path === '/queries' ? pages[0]!.page : page}
                  />
                ))}
              <Route component={NotFoundPage} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </AppShell.Main>
    </AppShell>
  )
}
