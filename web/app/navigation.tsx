import { NavLink, Stack, Text } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { groups, references } from './pages.ts'

export function Navigation({ onNavigate }: { readonly onNavigate: () => void }) {
  const [location] = useLocation()
  /** A query that was run is shown on the page where queries are written. */
  const isQuery = location === '/' || location.startsWith('/queries/')
  const isActive = (path: string) =>
    path === '/' ? isQuery : location === path || (location.startsWith(`${path}/`) && !isQuery)
  return (
    <Stack gap={2}>
      {groups.map(group => (
        <Stack key={group.label} gap={2} mb="xs">
          <Text size="xs" c="dimmed" fw={600} px="xs" pb={2}>
            {group.label}
          </Text>
          {group.pages.map(({ path, label, icon: Icon }) => (
            <NavLink
              key={path}
              component={Link}
              href={path}
              label={label}
              leftSection={<Icon size={17} stroke={1.7} />}
              active={isActive(path)}
              aria-current={isActive(path) ? 'page' : undefined}
              onClick={onNavigate}
              py={6}
              style={{ borderRadius: 'var(--mantine-radius-md)' }}
            />
          ))}
        </Stack>
      ))}
      {references.map(({ href, label, icon: Icon }) => (
        <NavLink
          key={href}
          href={href}
          target="_blank"
          rel="noreferrer"
          label={label}
          leftSection={<Icon size={17} stroke={1.7} />}
          py={6}
          style={{ borderRadius: 'var(--mantine-radius-md)' }}
        />
      ))}
    </Stack>
  )
}
