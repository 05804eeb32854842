import { type Json, stringifyJson } from '../language/json.ts'
import type { CliCommand } from './command.ts'
import { openSession, sessionOptions } from './query/open-session.ts'
import { fileOption, queryArgument, queryText, showingMistakes } from './query/text.ts'

export const parse: CliCommand = {
  name: 'parse',
  summary: 'Prints the plan of a query as JSON, without running it',
  description:
    'The same document that the API answers to POST /v1/sirp/query/parse: stages, commands, arguments, estimates. A query that is wrong is shown with every mistake and its place.',
  arguments: [queryArgument],
  options: [fileOption, ...sessionOptions],
  examples: [
    { line: `forage parse 'range 1 10 n || filter "n > 5"'`, meaning: 'the plan' },
    { line: 'forage parse --file prices.fq > /dev/null && echo good', meaning: 'only a check' },
  ],
  async run(call) {
    const text = await queryText(call)
    return showingMistakes(text, async () => {
      await using session = await openSession(call)
      // Its flags may hold integers that only our own writer keeps exact.
      call.print(stringifyJson((await session.plan(text)) as unknown as Json, 2))
      return 0
    })
  },
}
