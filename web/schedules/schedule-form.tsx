import { Collapse, Group, NumberInput, Select, Stack, Switch, Textarea, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, segment } from '../api/client.ts'
import type { ProblemItem } from '../api/problem.ts'
import type { ScheduledQuery } from '../api/types.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { QueryField } from '../components/query-field.tsx'
import { monospaced } from '../forms/monospaced.ts'
import { errorAt } from '../forms/schema.ts'
import { refreshSchedules } from './actions.ts'
import { bodyOf, draftOf, metadataError, type ScheduleDraft } from './draft.ts'
import { TimingFields } from './timing-fields.tsx'

/** Makes a schedule, or changes the one with an id. */
export function ScheduleForm({
  schedule,
  onClose,
}: {
  readonly schedule: Partial<ScheduledQuery>
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(schedule))
  const change = (part: Partial<ScheduleDraft>) => setDraft(present => ({ ...present, ...part }))
  const isNew = schedule.id === undefined
  const save = async () => {
    const wrong = metadataError(draft.metadata)
    if (wrong) throw new Error(`Notes for programs: ${wrong}`)
    const body = bodyOf(draft, isNew)
    if (isNew) await api.post('/v1/sirp/scheduled', body)
    else await api.put(`/v1/sirp/scheduled/${segment(schedule.id!)}`, body)
    await refreshSchedules(client)
    showDone(isNew ? 'The schedule is made and enabled.' : 'The schedule is changed.')
  }
  return (
    <FormModal
      title={isNew ? 'New schedule' : 'Change the schedule'}
      action={isNew ? 'Make the schedule' : 'Save'}
      onSubmit={save}
      onClose={onClose}
    >
      {errors => (
        <>
          <QueryField value={draft.query} onChange={query => change({ query })} errors={errors} />
          <TimingFields draft={draft} onChange={change} errors={errors} />
          <MoreFields draft={draft} onChange={change} errors={errors} />
        </>
      )}
    </FormModal>
  )
}

/** What is rarely changed. */
function MoreFields({
  draft,
  onChange,
  errors,
}: {
  readonly draft: ScheduleDraft
  readonly onChange: (change: Partial<ScheduleDraft>) => void
  readonly errors: readonly ProblemItem[]
}) {
  const [opened, { toggle }] = useDisclosure()
  return (
    <>
      <UnstyledButton onClick={toggle} aria-expanded={opened} fw={500} fz="sm">
        <Group gap={4}>
          {opened ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          More settings
        </Group>
      </UnstyledButton>
      <Collapse expanded={opened}>
        <Stack gap="sm">
          <Select
            label="When it is due while it still runs"
            allowDeselect={false}
            data={[
              { value: 'skip', label: 'That run is skipped and counted' },
              { value: 'queue', label: 'One run waits for the other to end' },
            ]}
            value={draft.overlap}
            onChange={value => onChange({ overlap: value === 'queue' ? 'queue' : 'skip' })}
          />
          <Group grow align="flex-start" preventGrowOverflow={false}>
            <NumberInput
              label="Failures in a row that disable it"
              description="0: none do"
              min={0}
              miw={180}
              allowDecimal={false}
              value={draft.disableAfter}
              error={errorAt(errors, '$.disableAfter')}
              onChange={value => onChange({ disableAfter: value })}
            />
            <NumberInput
              label="Seconds that results are kept"
              description="0: a day"
              min={0}
              miw={180}
              allowDecimal={false}
              thousandSeparator=","
              value={draft.ttl}
              error={errorAt(errors, '$.ttl')}
              onChange={value => onChange({ ttl: value })}
            />
          </Group>
          <Switch
            label="Keep only the rows of the last stage"
            checked={draft.cleanup}
            onChange={event => onChange({ cleanup: event.currentTarget.checked })}
          />
          <Switch
            label="Compute the summary of the columns after each run"
            checked={draft.summary}
            onChange={event => onChange({ summary: event.currentTarget.checked })}
          />
          <Textarea
            label="Notes for programs"
            description="A JSON object, kept with each query as its metadata"
            autosize
            minRows={2}
            maxRows={8}
            value={draft.metadata}
            error={metadataError(draft.metadata) ?? errorAt(errors, '$.metadata', true)}
            onChange={event => onChange({ metadata: event.currentTarget.value })}
            styles={monospaced}
          />
        </Stack>
      </Collapse>
    </>
  )
}
