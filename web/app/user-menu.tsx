import {
  ActionIcon,
  Button,
  Group,
  Menu,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react'
import { showFailure } from '../components/notices.ts'
import { useSession } from '../session/session.tsx'

/** Light or dark, and the way out. */
export function UserMenu() {
  const { session, signOut } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const label = isDark ? 'Light colours' : 'Dark colours'
  return (
    <Group gap="xs" wrap="nowrap">
      <Tooltip label={label}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={label}
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        >
          {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="subtle" color="gray" size="compact-sm" leftSection={<IconUser size={16} />}>
            {session?.username}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut().catch(showFailure)}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
