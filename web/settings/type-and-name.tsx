import { Select, Text, TextInput } from '@mantine/core'
import { entry } from '../forms/entry.ts'
import type { DescribedType } from './type-schemas.ts'

interface TypeAndNameProps {
  readonly types: readonly DescribedType[]
  readonly type: DescribedType
  readonly onType: (type: DescribedType) => void
  readonly name: string
  readonly nameHelp?: string
  readonly nameError: string | undefined
  readonly onName: (name: string) => void
  /** Of what there is already neither can be changed. */
  readonly isNew: boolean
}

/** What something is and what it is called, chosen when it is made. */
export function TypeAndName(props: TypeAndNameProps) {
  const { types, type, name, nameHelp, nameError, isNew } = props
  if (!isNew) return <Text size="sm">{type.title}</Text>
  const choose = (chosen: string | null) => {
    const next = types.find(({ type }) => type === chosen)
    if (next !== undefined && next !== type) props.onType(next)
  }
  return (
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
        description={nameHelp}
        required
        data-autofocus
        {...entry(name, props.onName, nameError)}
      />
    </>
  )
}
