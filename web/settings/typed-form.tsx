import { type ReactNode, useState } from 'react'
import { api, segment } from '../api/client.ts'
import type { ProblemItem } from '../api/problem.ts'
import { FormModal } from '../components/form-modal.tsx'
import { showDone } from '../components/notices.ts'
import { errorAt, type FormObject } from '../forms/schema.ts'
import { TypeAndName } from './type-and-name.tsx'
import { TypeHelp } from './type-help.tsx'
import type { DescribedType } from './type-schemas.ts'

interface TypedFormProps {
  /** What is made; in the body that is sent its name is at `config.<noun>.name`. */
  readonly noun: 'credential' | 'store'
  readonly path: string
  readonly types: readonly DescribedType[]
  readonly type: DescribedType
  readonly onType: (type: DescribedType) => void
  readonly nameHelp?: string
  /** Undefined for a new one. */
  readonly present: { readonly name: string } | undefined
  readonly configOf: (name: string) => FormObject
  /** What is said when it is saved. */
  readonly doneText: (name: string) => string
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
  /** The fields of the type. */
  readonly children: (errors: readonly ProblemItem[]) => ReactNode
}

/** Makes or changes what is of one of several types, each with fields of its own. */
export function TypedForm({ noun, path, types, type, present, ...props }: TypedFormProps) {
  const [name, setName] = useState(present?.name ?? '')
  const save = async () => {
    const body = { type: type.type, config: props.configOf(name) }
    if (present) await api.put(`${path}/${segment(present.name)}`, body)
    else await api.post(path, body)
    await props.onSaved()
    showDone(props.doneText(name))
  }
  return (
    <FormModal
      title={present ? `Edit ${present.name}` : `New ${noun}`}
      action="Save"
      onSubmit={save}
      onClose={props.onClose}
    >
      {errors => (
        <>
          <TypeAndName
            types={types}
            type={type}
            onType={props.onType}
            name={name}
            nameHelp={props.nameHelp}
            nameError={errorAt(errors, `$.config.${noun}.name`)}
            onName={setName}
            isNew={present === undefined}
          />
          <TypeHelp text={type.help} />
          {props.children(errors)}
        </>
      )}
    </FormModal>
  )
}
