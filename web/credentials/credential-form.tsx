import { TagsInput } from '@mantine/core'
import { useState } from 'react'
import type { Credential } from '../api/types.ts'
import { blankOf, errorAt, type FormObject } from '../forms/schema.ts'
import { type DescribedType, part } from '../settings/type-schemas.ts'
import { TypedForm } from '../settings/typed-form.tsx'
import { readConfig } from './config.ts'
import { CredentialFields } from './credential-fields.tsx'
import { CREDENTIALS } from './path.ts'

interface CredentialFormProps {
  readonly types: readonly DescribedType[]
  /** Undefined for a new one. */
  readonly present: Credential | undefined
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

export function CredentialForm(props: CredentialFormProps) {
  const { types, present } = props
  const [type, setType] = useState(types.find(({ type }) => type === present?.type) ?? types[0]!)
  const [hosts, setHosts] = useState<readonly string[]>(present ? readConfig(present).hosts : [])
  const [fields, setFields] = useState<FormObject>(() =>
    present ? readConfig(present).fields : blankOf(fieldsOf(type)),
  )
  const choose = (next: DescribedType) => {
    setType(next)
    setFields(blankOf(fieldsOf(next)))
  }
  const configOf = (name: string) => ({
    credential: { name, ...(hosts.length > 0 && { hosts }) },
    credentials: { [type.type]: fields },
  })
  return (
    <TypedForm
      {...props}
      noun="credential"
      path={CREDENTIALS}
      type={type}
      onType={choose}
      configOf={configOf}
      doneText={name => `The credential ${name} is kept.`}
    >
      {errors => (
        <>
          <CredentialFields
            key={type.type}
            type={type.type}
            schema={fieldsOf(type)}
            value={fields}
            onChange={setFields}
            errors={errors}
          />
          <TagsInput
            label="Hosts"
            description="Those that it may be sent to, such as api.b.com, or *.b.com for all below it; any when there are none"
            placeholder="Enter or a comma adds one"
            value={[...hosts]}
            error={errorAt(errors, '$.config.credential.hosts', true)}
            onChange={setHosts}
          />
        </>
      )}
    </TypedForm>
  )
}

const fieldsOf = ({ type, config }: DescribedType) => part(part(config, 'credentials'), type)
