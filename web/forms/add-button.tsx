import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'

/** Below the parts of a field that has as many of them as one likes. */
export const AddButton = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }) => (
  <Button
    size="compact-sm"
    variant="default"
    style={{ alignSelf: 'flex-start' }}
    leftSection={<IconPlus size={14} />}
    aria-label={`Add to ${label}`}
    onClick={onClick}
  >
    Add
  </Button>
)
