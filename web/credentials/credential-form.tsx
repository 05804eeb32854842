import { TagsInput } from '@mantine/core'
import { useState } from 'react'
import { api, segment } from '../api/client.ts'
import type { Credential } from '../api/types.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { blankOf, errorAt, type FormObject } from '../forms/schema.ts'
import { TypeAndName } from '../settings/type-and-name.tsx'
import { TypeHelp } from '../settings/type-help.tsx'
import { type DescribedType, part } from '../settings/type-schemas.ts'
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

export function CredentialForm({ types, present, onSaved, onClose }: CredentialFormProps) {
  const [type, setType] = useState(types.find(({ type }) => type === present?.type) ?? types[0]!)
  const [name, setName] = useState(present?.name ?? '')
  const [hosts, setHosts] = useState<readonly string[]>(present ? readConfig(present).hosts : [])
  const [fields, setFields] = useState<FormObject>(() =>
    present ? readConfig(present).fields : blankOf(fieldsOf(type)),
  )
  const choose = (next: DescribedType) => {
    setType(next)
    setFields(blankOf(fieldsOf(next)))
  }
  const save = async () => {
    const credential = { name, ...(hosts.length > 0 && { hosts }) }
    const body = { type: type.type, config: { credential, credentials: { [type.type]: fields } } }
    if (present) await api.put(`${CREDENTIALS}/${segment(present.name)}`, body)
    else await api.post(CREDENTIALS, body)
    await onSaved()
    showDone(`The credential ${name} is kept.`)
  }
  return (
    <FormModal
      title={present ? `Edit ${present.name}` : 'New credential'}
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
            nameError={errorAt(errors, '$.config.credential.name')}
            onName={setName}
            isNew={present === undefined}
          />
          <TypeHelp text={type.help} />
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
    </FormModal>
  )
}

const fieldsOf = ({ type, config }: DescribedType) => part(part(config, 'credentials'), type)
