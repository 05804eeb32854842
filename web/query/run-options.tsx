import {
  ActionIcon,
  Checkbox,
  Popover,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'

/** The fields of a dispatch besides the query. */
export interface RunOptions {
  readonly mode: 'comprehensive' | 'turbo'
  readonly ttl: number
  readonly minutes: number
  readonly summary: boolean
  readonly cleanup: boolean
}

export const usualOptions: RunOptions = {
  mode: 'comprehensive',
  ttl: 0,
  minutes: 0,
  summary: false,
  cleanup: false,
}

const isUsual = (options: RunOptions): boolean =>
  Object.entries(usualOptions).every(([name, value]) => options[name as keyof RunOptions] === value)

export function RunOptionsButton({
  options,
  onChange,
}: {
  readonly options: RunOptions
  readonly onChange: (options: RunOptions) => void
}) {
  const set = (change: Partial<RunOptions>) => onChange({ ...options, ...change })
  return (
    <Popover position="bottom-end" width={300} trapFocus shadow="md">
      <Popover.Target>
        <Tooltip label="How it is run">
          <ActionIcon
            variant={isUsual(options) ? 'subtle' : 'light'}
            color={isUsual(options) ? 'gray' : undefined}
            size="lg"
            aria-label="How it is run"
          >
            <IconAdjustmentsHorizontal size={18} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Stack gap={4}>
            <Text size="sm" fw={500} id="run-mode">
              Keep
            </Text>
            <SegmentedControl
              fullWidth
              size="xs"
              aria-labelledby="run-mode"
              value={options.mode}
              onChange={mode => set({ mode: mode as RunOptions['mode'] })}
              data={[
                { value: 'comprehensive', label: 'Every stage' },
                { value: 'turbo', label: 'Only the result' },
              ]}
            />
            <Text size="xs" c="dimmed">
              {options.mode === 'turbo'
                ? 'Turbo: faster; the rows of the stages before the last are not kept.'
                : 'Comprehensive: the rows of each stage can be looked at.'}
            </Text>
          </Stack>
          <WholeNumber
            label="Seconds that the results are kept"
            hint="0: a day"
            value={options.ttl}
            onChange={ttl => set({ ttl })}
          />
          <WholeNumber
            label="Minutes that it may run"
            hint="0: the limit of the server"
            value={options.minutes}
            onChange={minutes => set({ minutes })}
          />
          <Checkbox
            label="Summarise each column at the end"
            checked={options.summary}
            onChange={event => set({ summary: event.currentTarget.checked })}
          />
          <Checkbox
            label="Clean up everything but the result"
            checked={options.cleanup}
            onChange={event => set({ cleanup: event.currentTarget.checked })}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

interface WholeNumberProps {
  readonly label: string
  readonly hint: string
  readonly value: number
  readonly onChange: (value: number) => void
}

const WholeNumber = ({ label, hint, value, onChange }: WholeNumberProps) => (
  <TextInput
    label={label}
    description={hint}
    type="number"
    min={0}
    step={1}
    size="xs"
    value={String(value)}
    onChange={event => onChange(Math.max(0, Math.floor(event.currentTarget.valueAsNumber || 0)))}
  />
)
