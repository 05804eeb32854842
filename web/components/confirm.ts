import { modals } from '@mantine/modals'
import { createElement } from 'react'
import { showFailure } from './notices.ts'

interface Question {
  readonly title: string
  /** What will be gone, and what not. */
  readonly text: string
  /** The word on the button. */
  readonly action: string
  readonly run: () => Promise<unknown>
}

/** Asks before something is done that cannot be undone. */
export function confirmThen({ title, text, action, run }: Question): void {
  modals.openConfirmModal({
    title,
    children: createElement('p', { style: { margin: 0 } }, text),
    labels: { confirm: action, cancel: 'Cancel' },
    confirmProps: { color: 'red' },
    onConfirm: () => void run().catch(showFailure),
  })
}
