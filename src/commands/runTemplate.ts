import type { Json } from '../language/json.ts'
import { command } from './command.ts'

export default command({
  name: 'runTemplate',
  kind: 'source',
  group: 'get',
  summary: 'Runs a query template and gives its rows',
  help: [
    'Each value that the template asks for is a flag: `--template.city Oslo` is what `$template.city$` stands for there. A value is text, or JSON where it begins like JSON; one that the schema of the template says is a number or a boolean is read as such. Values with a default in the schema may be left out.',
    'The stages of the template use the cache as they would by themselves. Templates may run templates, five deep; one that runs itself, by whatever way, is refused.',
  ].join('\n\n'),
  arguments: [{ name: 'name', type: 'text', names: 'template', help: 'The name of the template.' }],
  flags: [
    {
      name: 'template.*',
      type: 'json',
      orText: true,
      help: 'A value of the template, by its name.',
    },
  ],
  volatile: true,
  examples: [
    {
      title: 'A template `numbers` whose text is `range 1 $template.last$ n`',
      query: 'runTemplate numbers --template.last 2',
      output: [{ n: 1 }, { n: 2 }],
    },
    {
      title: 'Its rows, worked on',
      query: 'runTemplate numbers --template.last 3 || stats "sum(n) as total"',
      output: [{ total: 6 }],
    },
  ],
  source: ({ args, flags, runTemplate }) =>
    // What a family of flags was given is an object by their names.
    runTemplate(args.name, flags['template.*'] as unknown as Readonly<Record<string, Json>>),
})
