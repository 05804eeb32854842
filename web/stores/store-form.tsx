import { Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Json } from '../../src/language/json.ts'
import { api, segment } from '../api/client.ts'
import type { Store } from '../api/types.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { blankOf, errorAt, type FormObject } from '../forms/schema.ts'
import { TypeHelp } from '../settings/type-help.tsx'
import { type DescribedType, part } from '../settings/type-schemas.ts'
import { STORES } from './path.ts'
import { StoreFields } from './store-fields.tsx'

interface StoreFormProps {
  readonly types: readonly DescribedType[]
  /** Undefined for a new one. */
  readonly present: Store | undefined
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

export function StoreForm({ types, present, onSaved, onClose }: StoreFormProps) {
  const [type, setType] = useState(types.find(({ type }) => type === present?.type) ?? types[0]!)
  const [name, setName] = useState(present?.name ?? '')
  const [config, setConfig] = useState<FormObject>(() =>
    present ? (present.config as Record<string, Json>) : newConfig(type),
  )
  const choose = (chosen: string | null) => {
    const next = types.find(({ type }) => type === chosen)
    if (next === undefined || next === type) return
    setType(next)
    setConfig(newConfig(next))
  }
  const save = async () => {
    const body = { type: type.type, config: { ...config, store: { name } } }
    if (present) await api.put(`${STORES}/${segment(present.name)}`, body)
    else await api.post(STORES, body)
    await onSaved()
    showDone(`The store ${name} is saved. Test it to see whether it answers.`)
  }
  return (
    <FormModal
      title={present ? `Edit ${present.name}` : 'New store'}
      action="Save"
      onSubmit={save}
      onClose={onClose}
    >
      {errors => (
        <>
          {present ? (
            <Text size="sm">{type.title}</Text>
          ) : (
            <>
              <Select
                label="Type"
                required
                allowDeselect={false}
                data={types.map(({ type, title }) => ({ value: type, label: title }))}
                value={type.type}
                onChange={choose}
              />
              <TextInput
                label="Name"
                description="Letters, digits, spaces, dots, dashes and underscores"
                required
                data-autofocus
                value={name}
                error={errorAt(errors, '$.config.store.name')}
                onChange={event => setName(event.currentTarget.value)}
              />
            </>
          )}
          <TypeHelp text={type.help} />
          <StoreFields key={type.type} type={type} config={config} onChange={setConfig} errors={errors} />
        </>
      )}
    </FormModal>
  )
}

const newConfig = ({ config }: DescribedType): FormObject => ({
  configuration: blankOf(part(config, 'configuration')),
})
