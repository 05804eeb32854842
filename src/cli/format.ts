import { writeFile } from 'node:fs/promises'
import { Fault } from '../fault.ts'
import type { CliCommand } from './command.ts'
import { InvalidQuery } from './query/session.ts'
import { fileOption, queryArgument, queryText, showingMistakes } from './query/text.ts'

export const format: CliCommand = {
  name: 'format',
  summary: 'Prints a query as it is best read: a stage a line, names as declared',
  description: 'Comments and the values stay as they are, so it means the same.',
  arguments: [queryArgument],
  options: [fileOption, { name: 'write', meaning: 'change the file of --file in place' }],
  examples: [
    { line: `forage format 'range 1 10 n||FILTER "n > 5"'`, meaning: 'two lines' },
    { line: 'forage format --file prices.fq --write', meaning: 'the file itself' },
  ],
  async run(call) {
    const { file, write } = call.options
    if (write && typeof file !== 'string')
      throw new Fault('usage', '--write needs a file to change', 'Name it with --file.')
    const text = await queryText(call)
    return showingMistakes(text, async () => {
      const formatted = await formattedText(text)
      if (!write) call.print(formatted)
      else if (`${formatted}\n` !== text) await writeFile(String(file), `${formatted}\n`)
      return 0
    })
  },
}

async function formattedText(text: string): Promise<string> {
  const { commands } = await import('../commands/index.ts')
  const { plan } = await import('../language/planner.ts')
  const { format: formatQuery } = await import('../language/format.ts')
  const { diagnostics } = plan(text, { commands, syntaxOnly: true })
  if (diagnostics.length > 0) throw new InvalidQuery(diagnostics)
  return formatQuery(text, commands).trimEnd()
}
