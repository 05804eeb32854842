import { FUNCTIONS, usageOf } from '../language/expression/functions.ts'
import { command } from './command.ts'

export default command({
  name: 'functions',
  kind: 'source',
  group: 'get',
  summary: 'Lists the functions that expressions can call',
  help: 'A row for each: its name, group, how it is called, what it gives and an example.',
  arguments: [],
  examples: [
    {
      title: 'One of them',
      query: `functions || filter "name == 'epoch'" || table name group usage result`,
      output: [{ name: 'epoch', group: 'time', usage: 'epoch(time)', result: 'number' }],
    },
    {
      title: 'How many start with "url"',
      query: `functions || filter "name startswith 'url'" || count`,
      output: [{ count: 2 }],
    },
  ],
  source: ({ ingest }) =>
    ingest(
      FUNCTIONS.map(item => ({
        name: item.name,
        group: item.group,
        usage: usageOf(item),
        result: item.result,
        summary: item.summary,
        example: item.example.expression,
      })),
    ),
})
