import { useState } from 'react'
import type { Json } from '../../src/language/json.ts'
import type { Store } from '../api/types.ts'
import { blankOf, type FormObject } from '../forms/schema.ts'
import { type DescribedType, part } from '../settings/type-schemas.ts'
import { TypedForm } from '../settings/typed-form.tsx'
import { STORES } from './path.ts'
import { StoreFields } from './store-fields.tsx'

interface StoreFormProps {
  readonly types: readonly DescribedType[]
  /** Undefined for a new one. */
  readonly present: Store | undefined
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

export function StoreForm(props: StoreFormProps) {
  const { types, present } = props
  const [type, setType] = useState(types.find(({ type }) => type === present?.type) ?? types[0]!)
  const [config, setConfig] = useState<FormObject>(() =>
    present ? (present.config as Record<string, Json>) : newConfig(type),
  )
  const choose = (next: DescribedType) => {
    setType(next)
    setConfig(newConfig(next))
  }
  return (
    <TypedForm
      {...props}
      noun="store"
      path={STORES}
      type={type}
      onType={choose}
      nameHelp="Letters, digits, spaces, dots, dashes and underscores"
      configOf={name => ({ ...config, store: { name } })}
      doneText={name => `The store ${name} is saved. Test it to see whether it answers.`}
    >
      {errors => (
        <StoreFields key={type.type} type={type} config={config} onChange={setConfig} errors={errors} />
      )}
    </TypedForm>
  )
}

const newConfig = ({ config }: DescribedType): FormObject => ({
  configuration: blankOf(part(config, 'configuration')),
})
