import type { CredentialType } from './credential-type.ts'

export const okta: CredentialType = {
  type: 'okta',
  title: 'Okta',
  help: 'An API token of an Okta organization, sent as `Authorization: SSWS <token>`.',
  fields: [
    { name: 'domain', required: true, help: 'The domain of the organization, such as `example.okta.com`' },
    { name: 'token', required: true, secret: true, help: 'The token' },
  ],
  value: 'token',
  authorize: (_request, _fields, token) => ({ authorization: `SSWS ${token}` }),
}
