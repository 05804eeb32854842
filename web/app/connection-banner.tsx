import { Affix, Alert, Group, Loader } from '@mantine/core'
import { useReachable } from '../api/connection.ts'

/** Says that the server is away, for as long as it is. */
export function ConnectionBanner() {
  if (useReachable()) return null
  return (
    <Affix position={{ top: 8, left: '50%' }} zIndex={500} style={{ transform: 'translateX(-50%)' }}>
      <Alert color="yellow" variant="filled" autoContrast p="xs" role="status">
        <Group gap="xs" wrap="nowrap">
          <Loader size="xs" color="dark" />
          Forage does not answer; it may be restarting. Trying again…
        </Group>
      </Alert>
    </Affix>
  )
}
