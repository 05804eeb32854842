import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { NewApiKey } from '../api/types.ts'

interface NewKeyShownProps {
  readonly made: NewApiKey
  readonly onClose: () => void
}

/** The one time that a key can be seen. Nothing but the button closes it: a slip would lose the key. */
export function NewKeyShown({ made, onClose }: NewKeyShownProps) {
  const key = made.key ?? ''
  const line = `curl -H "Authorization: svc ${key}" ${location.origin}/v1/sirp/services/status`
  return (
    <Modal
      opened
      onClose={onClose}
      title={`The key ${made.name}`}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" variant="light">
          Copy it now. Only its hash is kept, so it cannot be shown again.
        </Alert>
        <Copied label="The key" action="Copy the key" text={key} />
        <Copied label="Try it on a command line" action="Copy the command" text={line} />
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface CopiedProps {
  readonly label: string
  readonly action: string
  readonly text: string
}

function Copied({ label, action, text }: CopiedProps) {
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="compact-sm"
              variant="light"
              leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              onClick={copy}
            >
              {copied ? 'Copied' : action}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
    </Stack>
  )
}
