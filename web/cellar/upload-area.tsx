import { Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import styles from './upload-area.module.css'
import { UploadCard } from './upload-card.tsx'

const ENDINGS = '.json,.ndjson,.jsonl,.csv,.tsv,.parquet'

interface Chosen {
  readonly key: number
  readonly file: File
}

let chosenSoFar = 0

/** Where files are dropped or chosen, and those that are on their way. */
export function UploadArea() {
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const [isOver, setIsOver] = useState(false)
  const add = (files: readonly File[]) =>
    setChosen(present => [...present, ...files.map(file => ({ key: chosenSoFar++, file }))])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    add([...event.dataTransfer.files])
  }
  return (
    <Stack gap="sm" mb="md">
      <Paper
        className={styles.area}
        data-over={isOver || undefined}
        p="md"
        onDragOver={event => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <Group gap="md" justify="center">
          <IconUpload size={22} stroke={1.6} aria-hidden />
          <Text size="sm">Drop files here: CSV, JSON, NDJSON or Parquet</Text>
          <FileButton
            onChange={add}
            accept={ENDINGS}
            multiple
            inputProps={{ 'aria-label': 'Files to upload' }}
          >
            {props => (
              <Button {...props} variant="default" size="compact-sm">
                Choose files
              </Button>
            )}
          </FileButton>
        </Group>
      </Paper>
      {chosen.map(({ key, file }) => (
        <UploadCard
          key={key}
          file={file}
          onGone={() => setChosen(present => present.filter(other => other.key !== key))}
        />
      ))}
    </Stack>
  )
}
