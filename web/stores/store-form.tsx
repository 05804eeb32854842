import { useState } from 'react'
import type { Json } from '../../src/language/json.ts'
import { api, segment } from '../api/client.ts'
import type { Store } from '../api/types.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { blankOf, errorAt, type FormObject } from '../forms/schema.ts'
import { TypeAndName } from '../settings/type-and-name.tsx'
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
  const choose = (next: DescribedType) => {
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
          <TypeAndName
            types={types}
            type={type}
            onType={choose}
            name={name}
            nameHelp="Letters, digits, spaces, dots, dashes and underscores"
            nameError={errorAt(errors, '$.config.store.name')}
            onName={setName}
            isNew={present === undefined}
          />
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
