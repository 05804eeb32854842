import Type, { type TObject, type TSchema } from 'typebox'
import {
  type CredentialField,
  type CredentialType,
  type CredentialTypeName,
  credentialTypeNames,
} from '../../credentials/credential-type.ts'
import { credentialTypes } from '../../credentials/types.ts'
import { fields } from '../fields.ts'

const LONGEST = 100_000

/** What a credential of a type must look like, made from its declaration. */
export function credentialSchema(type: CredentialTypeName): TObject {
  const declared = credentialTypes[type]
  return fields({
    type: Type.Literal(type),
    config: fields({
      credential: fields({
        name: Type.String({ minLength: 1, maxLength: 1000 }),
        hosts: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
            maxItems: 100,
            description:
              'The hosts that it may be sent to, such as `api.b.com` or `*.b.com`; any when absent',
          }),
        ),
      }),
      credentials: fields({ [type]: typeFields(declared) }),
    }),
  })
}

/** The same as a document for forms, with the paths of what is masked. */
export const describeCredential = (type: CredentialTypeName) => ({
  type,
  title: credentialTypes[type].title,
  schema: { ...credentialSchema(type), description: credentialTypes[type].help },
  secrets: credentialTypes[type].fields
    .filter(field => field.secret)
    .map(field => `config.credentials.${type}.${field.name}`),
})

export const describeCredentials = () => credentialTypeNames.map(describeCredential)

const typeFields = (declared: CredentialType): TObject =>
  fields(Object.fromEntries(declared.fields.map(field => [field.name, fieldSchema(field)])))

function fieldSchema(field: CredentialField): TSchema {
  const options = {
    description: field.help,
    ...(field.default !== undefined && { default: field.default }),
    ...(field.secret && { writeOnly: true }),
  }
  const schema = field.choices
    ? Type.Enum([...field.choices], options)
    : Type.String({
        ...options,
        minLength: 1,
        maxLength: LONGEST,
        ...(field.url && { pattern: '^https?://[^\\s/]+' }),
      })
  return field.required ? schema : Type.Optional(schema)
}
