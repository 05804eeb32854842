import type { CredentialType } from './credential-type.ts'

export const pinecone: CredentialType = {
  type: 'pinecone',
  title: 'Pinecone',
  help: 'An API key, sent in the header `Api-Key`.',
  fields: [{ name: 'apiKey', required: true, secret: true, help: 'The key' }],
  value: 'apiKey',
  authorize: (_request, _fields, key) => ({ 'api-key': key }),
}
