import { Group, NumberInput, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { Cron } from 'croner'
import { useId } from 'react'
import type { ProblemItem } from '../api/problem.ts'
import { monospaced } from '../forms/monospaced.ts'
import { errorAt } from '../forms/schema.ts'
import { cronWords } from './cron-words.ts'
import type { ScheduleDraft, When } from './draft.ts'
import { capital, minutesWords } from './timing-words.ts'

interface Properties {
  readonly draft: ScheduleDraft
  readonly onChange: (change: Partial<ScheduleDraft>) => void
  readonly errors: readonly ProblemItem[]
}

const A_YEAR = 525_600
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')]

/** When it runs: every so many minutes, by a cron expression, or only by hand. */
export function TimingFields(props: Properties) {
  const { draft, onChange } = props
  const label = useId()
  return (
    <Stack gap="xs">
      <Stack gap={4}>
        <Text size="sm" fw={500} id={label}>
          It runs
        </Text>
        <SegmentedControl
          aria-labelledby={label}
          value={draft.when}
          onChange={when => onChange({ when: when as When })}
          data={[
            { value: 'minutes', label: 'At intervals' },
            { value: 'cron', label: 'At set times' },
            { value: 'hand', label: 'Only by hand' },
          ]}
        />
      </Stack>
      {draft.when === 'minutes' && <MinutesField {...props} />}
      {draft.when === 'cron' && <CronFields {...props} />}
    </Stack>
  )
}

function MinutesField({ draft, onChange, errors }: Properties) {
  const minutes = Number(draft.minutes)
  return (
    <NumberInput
      label="Minutes between two runs"
      description={
        minutes > 0 ? `${capital(minutesWords(minutes))}, counted from when it is enabled` : undefined
      }
      required
      min={1}
      max={A_YEAR}
      allowDecimal={false}
      value={draft.minutes}
      error={errorAt(errors, '$.minutes')}
      onChange={value => onChange({ minutes: value })}
    />
  )
}

function CronFields({ draft, onChange, errors }: Properties) {
  return (
    <>
      <Group align="flex-start" grow preventGrowOverflow={false}>
        <TextInput
          label="Cron expression"
          description="Minute, hour, day, month, day of the week"
          required
          miw={180}
          value={draft.cron}
          error={errorAt(errors, '$.cron')}
          onChange={event => onChange({ cron: event.currentTarget.value })}
          styles={monospaced}
        />
        <Select
          label="Time zone"
          description="Summer time is taken into account"
          searchable
          allowDeselect={false}
          miw={180}
          data={zones.includes(draft.timeZone) ? zones : [draft.timeZone, ...zones]}
          value={draft.timeZone}
          error={errorAt(errors, '$.timeZone')}
          onChange={value => onChange({ timeZone: value ?? 'UTC' })}
        />
      </Group>
      <CronPreview cron={draft.cron} timeZone={draft.timeZone} />
    </>
  )
}

/** What the expression means, before it is kept. */
function CronPreview({ cron, timeZone }: { readonly cron: string; readonly timeZone: string }) {
  const next = nextRuns(cron, timeZone)
  const words = cronWords(cron)
  return (
    <Text size="sm" c="dimmed" role="status">
      {next === undefined
        ? 'This is no cron expression yet: it needs five fields.'
        : `${words ? `${capital(words)}. ` : ''}Next: ${next.join(', ')}.`}
    </Text>
  )
}

function nextRuns(cron: string, timeZone: string): string[] | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    })
    const runs = new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true }).nextRuns(3)
    return runs.length === 0 ? ['never'] : runs.map(run => format.format(run).replace(',', ''))
  } catch {
    return undefined
  }
}
