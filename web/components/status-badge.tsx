import { Badge, Loader } from '@mantine/core'

const looks: Readonly<Record<string, { readonly color: string; readonly label: string }>> = {
  queued: { color: 'gray', label: 'Queued' },
  waiting: { color: 'gray', label: 'Waiting' },
  running: { color: 'blue', label: 'Running' },
  completed: { color: 'moss', label: 'Completed' },
  failed: { color: 'red', label: 'Failed' },
  cancelled: { color: 'gray', label: 'Cancelled' },
  skipped: { color: 'gray', label: 'Skipped' },
  expired: { color: 'gray', label: 'Expired' },
}

export const statusLabel = (status: string): string => looks[status]?.label ?? status
const statusColor = (status: string): string => looks[status]?.color ?? 'gray'

/** The state of a query or of a run, by word and colour. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <Badge
      variant="light"
      color={statusColor(status)}
      tt="none"
      fw={600}
      style={{ flexShrink: 0 }}
      miw="max-content"
      leftSection={status === 'running' ? <Loader size={10} color="currentColor" aria-hidden /> : null}
    >
      {statusLabel(status)}
    </Badge>
  )
}
