import { ChoiceField, ChoicesField } from './choice-field.tsx'
import { GroupField, GroupsField } from './group-field.tsx'
import { JsonField } from './json-field.tsx'
import { NumberField } from './number-field.tsx'
import { PairsField } from './pairs-field.tsx'
import { type FieldProps, kindOf } from './schema.ts'
import { SecretField } from './secret-field.tsx'
import { SwitchField } from './switch-field.tsx'
import { TextField } from './text-field.tsx'
import { WordsField } from './words-field.tsx'

/** The field that fits a schema. */
export function Field(props: FieldProps) {
  switch (kindOf(props.schema)) {
    case 'fixed':
      return null
    case 'choice':
      return <ChoiceField {...props} />
    case 'choices':
      return <ChoicesField {...props} />
    case 'text':
      return props.schema.writeOnly ? <SecretField {...props} /> : <TextField {...props} />
    case 'number':
      return <NumberField {...props} />
    case 'switch':
      return <SwitchField {...props} />
    case 'words':
      return <WordsField {...props} />
    case 'pairs':
      return <PairsField {...props} />
    case 'fields':
      return <GroupField {...props} />
    case 'groups':
      return <GroupsField {...props} />
    case 'json':
      return <JsonField {...props} />
  }
}
