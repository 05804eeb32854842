import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { refusedStatus } from './http/status.ts'
import { type Answer, jsonRows, readAnswer } from './prompting/answer.ts'
import { completionsAddress, completionsBody } from './prompting/question.ts'

export default command({
  name: 'prompt',
  kind: 'expand',
  group: 'get',
  summary: 'Asks a language model',
  help: [
    'The text is sent to a chat-completions endpoint, the way of OpenAI that most services and local servers take: `--baseUrl` is its address up to `/chat/completions`. The row has `_prompt.text`, the answer, `_prompt.model`, and `_prompt.tokens.input` and `.output` where the endpoint counts them; `--enrich` adds the columns of the row that was asked about.',
    'With `--json` the answer must be JSON, and with `--schema` JSON that keeps to a schema. An object then gives its keys as columns, an array a row for each item, anything else the column `value`.',
    '`--credential` names a stored key, so that none stands in the query. The result is never cached.',
  ].join('\n\n'),
  arguments: [
    { name: 'text', type: 'text', help: 'What to ask; `$column$` stands for the value of the row.' },
  ],
  flags: [
    {
      name: 'baseUrl',
      type: 'url',
      help: 'The endpoint, up to `/chat/completions`. Unless it is given, that of the credential, else `https://api.openai.com/v1`.',
    },
    {
      name: 'credential',
      type: 'text',
      names: 'credential',
      tokens: 'none',
      help: 'The name of a credential, of type openai or any that is sent in a header: its key is sent with the question.',
    },
    { name: 'model', type: 'text', help: 'Which model answers. Some endpoints have only one.' },
    { name: 'system', type: 'text', help: 'What the model is told before: how to answer, in which role.' },
    { name: 'json', type: 'boolean', default: false, help: 'The answer is JSON, and becomes columns.' },
    {
      name: 'schema',
      type: 'json',
      help: 'A JSON schema that the answer keeps to; takes `--json` for granted.',
    },
    {
      name: 'temperature',
      type: 'number',
      min: 0,
      max: 2,
      help: 'From 0, always the same, to 2, surprising.',
    },
    { name: 'maxTokens', type: 'integer', min: 1, help: 'The most tokens of the answer.' },
    { name: 'bearer', type: 'text', secret: true, help: 'The API key, sent as `Authorization: Bearer …`.' },
  ],
  volatile: true,
  examples: [
    {
      title: 'The model of the demo site repeats what it is told',
      query: 'prompt "Good morning" --baseUrl http://localhost:1969/v1 --model demo',
      output: [
        { _prompt: { text: 'You said: Good morning', model: 'demo', tokens: { input: 2, output: 4 } } },
      ],
    },
    {
      title: 'For each row, as columns that a schema names',
      input: [{ id: 1, review: 'Fine keys' }],
      query:
        'prompt "Rate: $review$" --baseUrl http://localhost:1969/v1 --schema \'{type: "object", properties: {words: {type: "integer"}, about: {type: "string"}}}\' --enrich || drop _prompt review',
      output: [{ id: 1, words: 3, about: 'Rate: Fine keys' }],
    },
  ],
  expand: async function* ({ args, flags, fetch, warn, credential }) {
    const settings = flags.credential === undefined ? {} : (await credential(flags.credential)).settings
    const isConfigured = flags.baseUrl === undefined && settings.baseUrl !== undefined
    const response = await fetch({
      isConfigured,
      url: completionsAddress(flags.baseUrl ?? settings.baseUrl ?? 'https://api.openai.com/v1'),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(flags.bearer !== undefined && { authorization: `Bearer ${flags.bearer}` }),
      },
      body: completionsBody(args.text, flags),
      // Asking twice costs tokens, but changes nothing.
      idempotent: true,
    })
    if (response.status < 200 || response.status > 299)
      throw refusedStatus(response, 'The answer of the endpoint')
    const answer = readAnswer(response.bytes.toString('utf8'))
    if (answer.wasCut) warn('prompt_cut', 'An answer was cut off: --maxTokens raises the limit.')
    yield* rowsOf(answer, flags.json || flags.schema !== undefined)
  },
})

function rowsOf(answer: Answer, isJson: boolean) {
  const { text, model, tokens } = answer
  const _prompt = { text, ...(model !== undefined && { model }), ...(tokens && { tokens }) }
  if (!isJson) return [{ _prompt }]
  const rows = jsonRows(text)
  if (!rows)
    throw new CommandFailure(
      'prompt_not_json',
      `The answer is not JSON${answer.wasCut ? ', since it was cut off' : ''}: ${text.slice(0, 200)}`,
    )
  return rows.map(row => ({ ...row, _prompt }))
}
