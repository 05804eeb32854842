import { Button, Card, Checkbox, Group, Progress, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Problem } from '../api/problem.ts'
import { showDone } from '../components/notices.ts'
import { bytes, counted } from '../components/numbers.ts'
import { Failure } from '../components/states.tsx'
import { entry } from '../forms/entry.ts'
import { refreshCellar } from './actions.ts'
import { nameError, nameFor } from './names.ts'
import { upload } from './upload.ts'

/** One file before it is sent, on its way, and when it was refused. */
export function UploadCard({ file, onGone }: { readonly file: File; readonly onGone: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useState(() => nameFor(file.name))
  const [replace, setReplace] = useState(false)
  /** Undefined while nothing is sent. */
  const [progress, setProgress] = useState<number>()
  const [failure, setFailure] = useState<unknown>()
  const sending = useRef<AbortController>(undefined)
  const wrongName = nameError(name)

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (wrongName) return
    sending.current = new AbortController()
    setFailure(undefined)
    setProgress(0)
    try {
      const made = await upload({
        file,
        name,
        replace,
        signal: sending.current.signal,
        onProgress: setProgress,
      })
      showDone(`${made.name} is in the cellar: ${counted(made.rows ?? 0, 'row')}.`)
      onGone()
      await refreshCellar(client)
    } catch (error) {
      if (!sending.current.signal.aborted) setFailure(error)
      setProgress(undefined)
    }
  }

  return (
    <Card withBorder padding="sm" component="form" onSubmit={send} aria-label={`Upload ${file.name}`}>
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span fw={600}>
            {file.name}
          </Text>{' '}
          <Text span c="dimmed">
            {bytes(file.size)}
          </Text>
        </Text>
        {progress === undefined ? (
          <Group align="flex-start" gap="sm">
            <TextInput
              label="Name in the cellar"
              {...entry(name, setName, wrongName)}
              style={{ flex: '1 1 220px' }}
            />
            <Checkbox
              label="Replace one of that name"
              checked={replace}
              onChange={event => setReplace(event.currentTarget.checked)}
              mt={32}
            />
            <Group gap="xs" mt={25}>
              <Button variant="default" onClick={onGone}>
                Remove
              </Button>
              <Button type="submit">Upload</Button>
            </Group>
          </Group>
        ) : (
          <Sending name={name} progress={progress} onCancel={() => sending.current?.abort()} />
        )}
        {failure !== undefined && <Failure error={inWords(failure)} />}
      </Stack>
    </Card>
  )
}

function Sending({
  name,
  progress,
  onCancel,
}: {
  readonly name: string
  readonly progress: number
  readonly onCancel: () => void
}) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Stack gap={4} style={{ flex: 1 }}>
        <Progress.Root size="lg">
          <Progress.Section value={progress * 100} animated={progress === 1} aria-label={`Sending ${name}`} />
        </Progress.Root>
        <Text size="sm" c="dimmed">
          {progress < 1 ? `${Math.floor(progress * 100)} % sent` : 'Sent; its rows are being read'}
        </Text>
      </Stack>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </Group>
  )
}

/** What to do about a refusal, where there is something. */
function inWords(failure: unknown): unknown {
  if (!(failure instanceof Problem)) return failure
  if (failure.status === 409)
    return new Error(`${failure.message} Give it another name, or tick the box to replace the other.`)
  if (failure.status === 413)
    return new Error(`${failure.message} Split the file, or raise FORAGE_UPLOAD_LIMIT on the server.`)
  return failure
}
