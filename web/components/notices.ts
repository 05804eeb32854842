import { notifications } from '@mantine/notifications'
import { wordsOf } from '../api/problem.ts'

const closeButtonProps = { 'aria-label': 'Close the message' }

export const showDone = (message: string): void => {
  notifications.show({ message, color: 'moss', closeButtonProps })
}

export const showFailure = (error: unknown): void => {
  notifications.show({
    title: 'That did not work',
    message: wordsOf(error),
    color: 'red',
    autoClose: 10_000,
    closeButtonProps,
  })
}
