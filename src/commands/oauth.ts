import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { credentialFlag, needed } from './shared/credential.ts'

export default command({
  name: 'oauth',
  kind: 'expand',
  group: 'get',
  summary: 'Fetches the token of an OAuth credential',
  help: 'Gives `token.access_token`, `token.token_type` and, where the server says them, `token.expires_in` (seconds), `token.expires_at` and `token.scope`. The access token is a handle: it becomes the token only where a request takes secrets, such as `--bearer $token.access_token$`. A token that is still good is not fetched again.\n\nFor a single request `api … --credentials.oauth NAME` does the same.',
  arguments: [],
  flags: [credentialFlag],
  volatile: true,
  examples: [
    {
      title: 'A token for the requests that follow',
      query:
        'oauth --credential demo || api get http://localhost:1969/api/bearer --bearer $token.access_token$',
      output: [{ user: 'demo', by: 'bearer' }],
    },
    {
      title: 'What is known of it',
      query: 'oauth --credential demo || table token.token_type token.scope',
      output: [{ token: { token_type: 'Bearer', scope: 'read' } }],
    },
  ],
  expand: async function* ({ flags, credential }) {
    const found = await credential(needed(flags.credential, 'oauth'))
    if (found.type !== 'oauth')
      throw new CommandFailure(
        'bad_credential',
        `The credential ${flags.credential} is of type ${found.type}, not oauth.`,
        { hint: 'The command `auth` takes every type.' },
      )
    yield { token: await found.token() }
  },
})
