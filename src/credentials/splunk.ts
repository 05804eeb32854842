import type { CredentialType } from './credential-type.ts'

export const splunk: CredentialType = {
  type: 'splunk',
  title: 'Splunk',
  help: 'A token of the HTTP event collector, sent as `Authorization: Splunk <token>`, or an authentication token of the REST API (a JWT), sent as `Bearer`.',
  fields: [{ name: 'token', required: true, secret: true, help: 'The token' }],
  value: 'token',
  authorize: (_request, _fields, token) => ({
    authorization: `${isJwt(token) ? 'Bearer' : 'Splunk'} ${token}`,
  }),
}

const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
