import { ActionIcon, Anchor, Group, Modal, SegmentedControl, Text, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Json, parseJson, type Row, stringifyJson } from '../../../src/language/json.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { count } from '../../components/numbers.ts'
import { exactTime, timeAgo } from '../../components/time.tsx'
import { PAGE_ROWS, pageQuery, type RowsView } from '../rows.ts'
import type { OpenCell } from '../table/grid.tsx'
import styles from './cell-view.module.css'
import { JsonTree } from './json-tree.tsx'
import { jsonIn, shownValue } from './values.ts'

interface Props {
  readonly view: RowsView
  readonly cell: OpenCell | undefined
  readonly total: number
  readonly onMove: (cell: OpenCell | undefined) => void
}

/** The whole of one value: as a tree, as text, as a picture, or as the page it is the source of. */
export function CellView({ view, cell, total, onMove }: Props) {
  const page = useQuery({
    ...pageQuery(view, Math.floor((cell?.row ?? 0) / PAGE_ROWS)),
    enabled: cell !== undefined,
  })
  const row = cell && page.data?.rows[cell.row % PAGE_ROWS]
  const step = (by: -1 | 1) => cell && onMove({ ...cell, row: cell.row + by })
  return (
    <Modal
      opened={cell !== undefined}
      onClose={() => onMove(undefined)}
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
      title={
        cell && (
          <Group gap="xs" wrap="nowrap">
            <Text fw={600} className={styles.name}>
              {cell.column}
            </Text>
            <Text size="sm" c="dimmed" className={styles.fixed}>
              row {count(cell.row + 1)}
            </Text>
            <RowStep label="Previous row" disabled={cell.row === 0} onClick={() => step(-1)}>
              <IconChevronUp size={16} />
            </RowStep>
            <RowStep label="Next row" disabled={cell.row + 1 >= total} onClick={() => step(1)}>
              <IconChevronDown size={16} />
            </RowStep>
          </Group>
        )
      }
    >
      {row && cell && (
        <Value key={`${cell.row} ${cell.column}`} value={row[cell.column]} column={cell.column} row={row} />
      )}
    </Modal>
  )
}

interface StepProps {
  readonly label: string
  readonly disabled: boolean
  readonly onClick: () => void
  readonly children: React.ReactNode
}

function RowStep({ label, disabled, onClick, children }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={disabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

interface ValueProps {
  readonly value: Json | undefined
  readonly column: string
  readonly row: Row
}

type Face = 'Tree' | 'Rendered' | 'Picture' | 'Text' | 'Source'

function Value({ value, column, row }: ValueProps) {
  const shown = shownValue(value, column, row)
  const json = jsonIn(value, parseJson)
  const faces: Face[] =
    shown.kind === 'html'
      ? ['Source', 'Rendered']
      : shown.kind === 'picture'
        ? ['Picture', 'Text']
        : json === undefined
          ? ['Text']
          : ['Tree', 'Text']
  const [face, setFace] = useState(faces[0]!)
  const text = typeof value === 'object' && value !== null ? stringifyJson(value, 2) : shown.text
  return (
    <>
      <Group justify="space-between" mb="xs">
        {faces.length > 1 ? (
          <SegmentedControl
            size="xs"
            aria-label="Show as"
            data={faces}
            value={face}
            onChange={next => setFace(next as Face)}
          />
        ) : (
          <Text size="sm" c="dimmed">
            {shown.kind === 'missing' ? 'null' : `${count(text.length)} characters`}
          </Text>
        )}
        <CopyButton value={text} label="Copy the value" />
      </Group>
      {shown.address?.startsWith('http') && (
        <Anchor
          href={shown.address}
          target="_blank"
          rel="noreferrer noopener"
          size="sm"
          mb="xs"
          display="block"
        >
          Open {shown.address}
        </Anchor>
      )}
      {shown.kind === 'date' && (
        <Text size="sm" c="dimmed" mb="xs">
          {exactTime(shown.text)} here, {timeAgo(shown.text)}
        </Text>
      )}
      {face === 'Tree' && <JsonTree value={json!} />}
      {face === 'Picture' && (
        <img
          className={styles.picture}
          src={shown.address}
          alt={`In ${column}`}
          referrerPolicy="no-referrer"
        />
      )}
      {/* No permission at all: in there no script runs, no form is sent and nothing is opened. */}
      {face === 'Rendered' && (
        <iframe className={styles.frame} title={`${column}, rendered`} sandbox="" srcDoc={shown.text} />
      )}
      {(face === 'Text' || face === 'Source') && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts scroll, by the keyboard too
        <pre className={styles.text} tabIndex={0}>
          {text}
        </pre>
      )}
    </>
  )
}
