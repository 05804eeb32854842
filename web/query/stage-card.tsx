import { Badge, Text, UnstyledButton } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowsSplit2,
  IconCheck,
  IconDatabaseImport,
  IconFilter,
  IconPlayerPause,
  IconX,
} from '@tabler/icons-react'
import type { StageRecord } from '../api/types.ts'
import { counted } from '../components/numbers.ts'
import { duration } from '../components/time.tsx'
import classes from './query.module.css'

/** A stage as its card shows it: planned, or at work. */
export interface Step {
  readonly index: number
  readonly command: string
  readonly label: string | null
  readonly kind: string
  /** As written, without the command. */
  readonly source: string
  readonly isWrong: boolean
  /** Before it ran: what it will cost. */
  readonly forecast: string | undefined
  readonly record: StageRecord | undefined
  /** A domain whose policy lets it go on only then. */
  readonly waiting: string | undefined
}

const kinds = {
  source: [IconDatabaseImport, 'makes rows'],
  expand: [IconArrowsSplit2, 'runs once for every row'],
  reduce: [IconFilter, 'works on the whole table'],
} as const

export function StageCard({
  step,
  isSelected,
  onSelect,
}: {
  readonly step: Step
  readonly isSelected: boolean
  readonly onSelect: (() => void) | undefined
}) {
  const content = <CardContent step={step} />
  if (!onSelect)
    return (
      <div className={classes.card} data-wrong={step.isWrong || undefined}>
        {content}
      </div>
    )
  return (
    <UnstyledButton
      className={classes.card}
      onClick={onSelect}
      aria-pressed={isSelected}
      data-wrong={step.record?.status === 'failed' || undefined}
    >
      {content}
    </UnstyledButton>
  )
}

function CardContent({ step }: { readonly step: Step }) {
  const [Icon, meaning] = kinds[step.kind as keyof typeof kinds] ?? [IconAlertTriangle, 'not known']
  return (
    <>
      <span className={classes.head}>
        <Icon size={16} stroke={1.7} title={meaning} style={{ flex: 'none' }} />
        <span className={classes.command}>{step.command || '?'}</span>
        {step.label && (
          <Badge size="xs" variant="light" tt="none">
            {step.label}
          </Badge>
        )}
        <span className={classes.grow} />
        {step.record && <StateIcon status={step.record.status} />}
      </span>
      <span className={classes.source} title={step.source}>
        {step.source || ' '}
      </span>
      <span className={classes.facts}>
        {step.record ? <Facts record={step.record} waiting={step.waiting} /> : <Forecast step={step} />}
      </span>
      {step.record && <Bar record={step.record} />}
    </>
  )
}

const Forecast = ({ step }: { readonly step: Step }) => (
  <Text span size="xs" c="dimmed">
    {step.isWrong ? 'has a mistake' : (step.forecast ?? ' ')}
  </Text>
)

function Facts({ record, waiting }: { readonly record: StageRecord; readonly waiting: string | undefined }) {
  const { jobs, status } = record
  const isOver = status !== 'queued' && status !== 'running'
  return (
    <>
      {status === 'queued' && (
        <Text span inherit c="dimmed">
          waits for its turn
        </Text>
      )}
      {record.rows !== null && <span>{counted(record.rows, 'row')}</span>}
      {!isOver && jobs !== null && jobs.total > 0 && (
        <span>
          {jobs.done.toLocaleString('en')} of {jobs.total.toLocaleString('en')}
        </span>
      )}
      {record.durationMs !== null && !record.fromCache && (
        <Text span inherit c="dimmed">
          {duration(record.durationMs)}
        </Text>
      )}
      {record.fromCache && (
        <Badge size="xs" variant="light" color="gray" tt="none">
          cached
        </Badge>
      )}
      {record.failedRows > 0 && <span className={classes.failed}>{record.failedRows} failed</span>}
      {record.warnings.length > 0 && (
        <span className={classes.waiting}>{counted(record.warnings.length, 'warning')}</span>
      )}
      {waiting && <span className={classes.waiting}>{waiting}</span>}
    </>
  )
}

function StateIcon({ status }: { readonly status: StageRecord['status'] }) {
  if (status === 'completed') return <IconCheck size={16} title="completed" />
  if (status === 'failed') return <IconX size={16} title="failed" className={classes.failed} />
  if (status === 'cancelled' || status === 'expired') return <IconPlayerPause size={16} title={status} />
  return null
}

function Bar({ record: { status, jobs } }: { readonly record: StageRecord }) {
  if (status === 'queued') return null
  const share = jobs && jobs.total > 0 ? jobs.done / jobs.total : undefined
  const isEndless = status === 'running' && share === undefined
  const percent = status === 'completed' ? 100 : Math.round((share ?? 0) * 100)
  return (
    <span
      className={classes.bar}
      data-state={status}
      data-endless={isEndless || undefined}
      style={isEndless ? undefined : { width: `${percent}%` }}
    />
  )
}
