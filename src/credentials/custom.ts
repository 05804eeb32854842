import type { CredentialType } from './credential-type.ts'

export const custom: CredentialType = {
  type: 'custom',
  title: 'Custom value',
  help: 'One value for any service. As `--credentials.custom` it is sent as `Authorization: Bearer <value>`, or as it stands when it begins with a scheme of its own (`Basic …`, `Token …`).',
  fields: [{ name: 'value', required: true, secret: true, help: 'The value: a token, a key, a password' }],
  value: 'value',
  authorize: (_request, _fields, value) => ({
    authorization: /^[A-Za-z][\w-]* \S/.test(value) ? value : `Bearer ${value}`,
  }),
}
