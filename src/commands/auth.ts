import { command } from './command.ts'
import { credentialFlag, needed } from './shared/credential.ts'

export default command({
  name: 'auth',
  kind: 'expand',
  group: 'get',
  summary: 'Gives the token or key of a credential',
  help: 'Like `oauth`, for a credential of any type that has one value: `token.access_token` is a handle for the token, the key or the value, `token.token_type` says what it is. The handle becomes the secret only where a request takes secrets.',
  arguments: [],
  flags: [credentialFlag],
  volatile: true,
  examples: [
    {
      title: 'A key that is sent as basic authentication',
      query:
        'auth --credential password || api get http://localhost:1969/api/basic --basic demo:$token.access_token$',
      output: [{ user: 'demo', by: 'basic' }],
    },
    {
      title: 'What kind of value it is',
      query: 'auth --credential password || table token.token_type',
      output: [{ token: { token_type: 'custom' } }],
    },
  ],
  expand: async function* ({ flags, credential }) {
    yield { token: await (await credential(needed(flags.credential, 'auth'))).token() }
  },
})
