import { Tooltip, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type KeyboardEvent, memo, type PointerEvent } from 'react'
import { type Sorting, typeName } from '../rows.ts'
import { ColumnMenu } from './column-menu.tsx'
import { type GridColumn, nameOf } from './columns.ts'
import styles from './grid.module.css'
import type { HeaderProps } from './grid-header.tsx'
import { NARROWEST } from './widths.ts'

interface Props extends HeaderProps {
  readonly column: GridColumn
  readonly place: number
  readonly width: number
}

/** Up, down, and as it came. */
function nextSort(column: string, sort: Sorting | undefined): Sorting | undefined {
  if (sort?.column !== column) return { column, order: 'asc' }
  return sort.order === 'asc' ? { column, order: 'desc' } : undefined
}

const ORDERS = { asc: 'ascending', desc: 'descending' } as const

/** The name of a column, its type, its menu and its edge. */
export const Heading = memo(function Heading(props: Props) {
  const { column, place, width, columns, sort, onSort, onCommands, onSummary } = props
  const name = nameOf(column)
  const order = sort?.column === name ? sort.order : undefined
  const Arrow = order === 'desc' ? IconArrowDown : IconArrowUp
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons are
    <div
      role="columnheader"
      aria-colindex={place + 2}
      aria-sort={order ? ORDERS[order] : 'none'}
      aria-label={name}
      className={styles.heading}
      style={{ width }}
    >
      <Tooltip label={name} disabled={name.length < 14} openDelay={400}>
        <div className={styles.name}>
          <UnstyledButton
            className={styles.title}
            onClick={() => onSort(nextSort(name, sort))}
            aria-label={`Sort by ${name}`}
          >
            <span>{name}</span>
            {order && <Arrow size={14} style={{ flex: 'none' }} />}
          </UnstyledButton>
          <div className={styles.type}>{typeName(columns.types.get(name))}</div>
        </div>
      </Tooltip>
      <ColumnMenu
        column={column}
        columns={columns}
        sort={sort}
        onSort={onSort}
        onCommands={() => onCommands(name)}
        onSummary={() => onSummary(name)}
      />
      <ResizeHandle name={name} width={width} onResize={to => columns.resize(column, to)} />
    </div>
  )
})

const KEY_STEP = 16

interface ResizeProps {
  readonly name: string
  readonly width: number
  readonly onResize: (width: number) => void
}

function ResizeHandle({ name, width, onResize }: ResizeProps) {
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget
    const begin = event.clientX
    handle.setPointerCapture(event.pointerId)
    handle.onpointermove = ({ clientX }) => onResize(width + clientX - begin)
    handle.onlostpointercapture = () => {
      handle.onpointermove = null
      handle.onlostpointercapture = null
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key]
    if (step === undefined) return
    // The table would scroll.
    event.preventDefault()
    onResize(width + step)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${name}`}
      aria-valuenow={width}
      aria-valuemin={NARROWEST}
      aria-valuemax={2000}
      tabIndex={0}
      className={styles.resize}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  )
}
