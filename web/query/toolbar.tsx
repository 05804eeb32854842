import { ActionIcon, Button, Group, Kbd, Tooltip } from '@mantine/core'
import { IconAlignLeft, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import type { RefObject } from 'react'
import type { QueryRecord } from '../api/types.ts'
import { ActionsMenu } from './actions-menu.tsx'
import { HistoryMenu } from './history-menu.tsx'
import classes from './query.module.css'
import { type RunOptions, RunOptionsButton } from './run-options.tsx'

const isMac = /mac/i.test(navigator.platform)

interface ToolbarProps {
  readonly text: string
  readonly record: QueryRecord | undefined
  readonly isRunning: boolean
  readonly isSending: boolean
  readonly options: RunOptions
  readonly runButton: RefObject<HTMLButtonElement | null>
  readonly onOptions: (options: RunOptions) => void
  readonly onRun: () => void
  readonly onCancel: () => void
  readonly onFormat: () => void
  readonly onText: (text: string) => void
}

/** What is done with the text above it. */
export function Toolbar(props: ToolbarProps) {
  const { text, record, options } = props
  return (
    <Group className={classes.toolbar} px="xs" py={6} gap="xs" justify="space-between">
      <Group gap="xs" wrap="nowrap">
        <Button
          ref={props.runButton}
          size="sm"
          leftSection={<IconPlayerPlay size={16} />}
          onClick={props.onRun}
          loading={props.isSending}
          disabled={text.trim() === ''}
        >
          Run
        </Button>
        {props.isRunning ? (
          <Button
            size="sm"
            variant="default"
            leftSection={<IconPlayerStop size={16} />}
            onClick={props.onCancel}
          >
            Cancel
          </Button>
        ) : (
          <Group gap={4} wrap="nowrap" visibleFrom="sm" aria-hidden>
            <Kbd size="xs">{isMac ? '⌘' : 'Ctrl'}</Kbd>
            <Kbd size="xs">Enter</Kbd>
          </Group>
        )}
      </Group>
      <Group gap={4} wrap="nowrap">
        <Tooltip label="Format (Shift-Alt-F)">
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Format" onClick={props.onFormat}>
            <IconAlignLeft size={18} />
          </ActionIcon>
        </Tooltip>
        <HistoryMenu onChoose={props.onText} />
        <RunOptionsButton options={options} onChange={props.onOptions} />
        <ActionsMenu text={text} record={record} />
      </Group>
    </Group>
  )
}
