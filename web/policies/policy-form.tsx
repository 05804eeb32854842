import { NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { DomainPolicy } from '../api/types.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { entry } from '../forms/entry.ts'
import { errorAt } from '../forms/schema.ts'
import { POLICIES } from './path.ts'
import { type WindowName, windows } from './windows.ts'

interface PolicyFormProps {
  /** Undefined for a new one. */
  readonly present: DomainPolicy | undefined
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

export function PolicyForm({ present, onSaved, onClose }: PolicyFormProps) {
  const [name, setName] = useState(present?.name ?? '')
  const [domain, setDomain] = useState(present?.domain ?? '')
  const [limits, setLimits] = useState<Partial<Record<WindowName, number>>>(present?.policy ?? {})
  const save = async () => {
    const body = { name, domain, policy: limits }
    if (present) await api.put(`${POLICIES}/${present.id}`, body)
    else await api.post(POLICIES, body)
    await onSaved()
    showDone(`The policy for ${domain} holds from now on.`)
  }
  const setLimit = (window: WindowName, given: number | string) =>
    setLimits(({ [window]: _, ...others }) =>
      given === '' ? others : { ...others, [window]: Number(given) },
    )
  return (
    <FormModal
      title={present ? `Edit ${present.name}` : 'New domain policy'}
      action="Save"
      onSubmit={save}
      onClose={onClose}
    >
      {errors => (
        <>
          <TextInput
            label="Name"
            required
            data-autofocus
            {...entry(name, setName, errorAt(errors, '$.name'))}
          />
          <TextInput
            label="Domain"
            description="A host such as a.b.com, *.b.com for every host below b.com, or * for all others"
            required
            {...entry(domain, setDomain, errorAt(errors, '$.domain'))}
          />
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            {windows.map(window => (
              <NumberInput
                key={window.name}
                label={window.label}
                placeholder="no limit"
                min={0}
                allowDecimal={false}
                value={limits[window.name] ?? ''}
                error={errorAt(errors, `$.policy.${window.name}`)}
                onChange={given => setLimit(window.name, given)}
              />
            ))}
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            How many requests each sliding window may hold. All limits hold together; an empty one is no
            limit, and 0 means never.
          </Text>
        </>
      )}
    </FormModal>
  )
}
