import type { CliCommand } from './command.ts'
import { openSession, sessionOptions } from './query/open-session.ts'
import { fileOption, queryArgument, queryText, showingMistakes } from './query/text.ts'

export const explain: CliCommand = {
  name: 'explain',
  summary: 'Says how a query would run: its stages, what is done in one, cache, requests and time',
  description:
    'Runs nothing. For each stage: its index, label, command and kind; the stages that become one statement; whether its rows are in the cache at this moment; and, as far as the text alone tells, how many requests go to which domain and the least time that the domain policies allow for them.',
  arguments: [queryArgument],
  options: [fileOption, ...sessionOptions],
  examples: [
    { line: `forage explain 'range 1 10 n || filter "n > 5"'`, meaning: 'two stages, one statement' },
    { line: 'forage explain --file prices.fq', meaning: 'what a query would ask of whom' },
  ],
  async run(call) {
    const text = await queryText(call)
    return showingMistakes(text, async () => {
      await using session = await openSession(call)
      const document = await session.plan(text)
      const { explanation } = await import('./query/explanation.ts')
      call.print(explanation(document))
      return 0
    })
  },
}
