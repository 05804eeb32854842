import { Button, Group, Modal, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Problem, type ProblemItem } from '../api/problem.ts'
import { Failure } from './states.tsx'

/**
 * A form in front of the page. It closes once what it sends is done; otherwise it stays, with the reason, and tells its
 * fields what was wrong with each.
 */
export function FormModal({
  title,
  action,
  size = 'lg',
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string
  /** The word on the button. */
  readonly action: string
  readonly size?: string
  readonly onSubmit: () => Promise<unknown>
  readonly onClose: () => void
  readonly children: (errors: readonly ProblemItem[]) => ReactNode
}) {
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const isNarrow = useMediaQuery('(max-width: 36em)')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(undefined)
    try {
      await onSubmit()
      onClose()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      fullScreen={isNarrow ?? false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          {children(failure instanceof Problem ? failure.errors : [])}
          {failure !== undefined && <Failure error={failure} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
