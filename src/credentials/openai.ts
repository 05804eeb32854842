import type { CredentialType } from './credential-type.ts'

export const openai: CredentialType = {
  type: 'openai',
  title: 'OpenAI, or a service with the same interface',
  help: 'A key for chat completions, sent as `Authorization: Bearer <apiKey>`. `prompt --credential` takes `baseUrl` from here.',
  fields: [
    { name: 'apiKey', required: true, secret: true, help: 'The key' },
    {
      name: 'baseUrl',
      url: true,
      default: 'https://api.openai.com/v1',
      help: 'Where the interface is, without `/chat/completions`',
    },
  ],
  value: 'apiKey',
  authorize: (_request, _fields, key) => ({ authorization: `Bearer ${key}` }),
}
