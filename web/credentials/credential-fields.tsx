import type { ProblemItem } from '../api/problem.ts'
import type { FormObject, FormSchema } from '../forms/schema.ts'
import { SchemaForm } from '../forms/schema-form.tsx'
import { onlyFields } from '../settings/type-schemas.ts'
import { KeyFile } from './key-file.tsx'
import { OauthHelp } from './oauth-help.tsx'

/** Fields of OAuth that belong to one grant alone. */
const GRANT_FIELDS: Readonly<Record<string, string>> = {
  username: 'password',
  password: 'password',
  refreshToken: 'refresh_token',
  authorizationUrl: 'authorization_code',
}

interface CredentialFieldsProps {
  readonly type: string
  readonly schema: FormSchema
  readonly value: FormObject
  readonly onChange: (value: FormObject) => void
  readonly errors: readonly ProblemItem[]
}

export function CredentialFields({ type, schema, value, onChange, errors }: CredentialFieldsProps) {
  const isOfGrant = (name: string) =>
    type !== 'oauth' ||
    value[name] !== undefined ||
    GRANT_FIELDS[name] === undefined ||
    GRANT_FIELDS[name] === value.grantType
  return (
    <>
      {type === 'gcp' && <KeyFile schema={schema} onRead={read => onChange({ ...value, ...read })} />}
      {type === 'oauth' && <OauthHelp value={value} />}
      <SchemaForm
        schema={onlyFields(schema, isOfGrant)}
        value={value}
        onChange={onChange}
        errors={errors}
        path={`$.config.credentials.${type}`}
      />
    </>
  )
}
