import { pageBody } from './browsing/body.ts'
import {
  screenshotFlags,
  scriptFlags,
  sessionFlag,
  urlArgument,
  visitorFlags,
  waitFlags,
} from './browsing/flags.ts'
import { addedColumns, resultRows } from './browsing/rows.ts'
import { command } from './command.ts'

export default command({
  name: 'evaluate',
  kind: 'expand',
  group: 'get',
  summary: 'Runs JavaScript in a page; what it gives becomes rows',
  help: [
    'An array becomes rows, an object a row; anything else is the column `result`, also where it stands in an array. A promise is waited for.',
    'The expression can be anything; one that gives a function must give an arrow function, which is called with `--args` and then an object of the libraries that were asked for. It takes no tokens: values of the row go through `--args`.',
    'Where it throws, the row fails with `script_failed` and the message.',
  ].join('\n\n'),
  arguments: [
    urlArgument,
    { name: 'expression', type: 'javascript', help: 'A JavaScript expression, or an arrow function.' },
  ],
  flags: [...scriptFlags, ...waitFlags, ...visitorFlags, ...screenshotFlags, sessionFlag],
  examples: [
    {
      title: 'An array is rows',
      query:
        "evaluate http://localhost:1969/shop \"[...document.querySelectorAll('.product')].slice(0, 2).map(card => ({ id: Number(card.dataset.id), name: card.querySelector('.name').innerText }))\"",
      output: [
        { id: 1, name: 'Kestrel Mini' },
        { id: 2, name: 'Echo & Reed Travel' },
      ],
    },
    {
      title: 'A value for each row, with an argument',
      input: [{ css: '.product' }, { css: '.pages a' }],
      query:
        'evaluate http://localhost:1969/shop "css => document.querySelectorAll(css).length" --args ["$css$"] --enrich true',
      output: [
        { css: '.product', result: 24 },
        { css: '.pages a', result: 5 },
      ],
    },
  ],
  expand: async function* ({ args, flags, browser }) {
    const { expression } = args
    const answer = await browser.run('evaluate', pageBody(args.url, flags, { expression }))
    const added = addedColumns(answer)
    for (const row of resultRows(answer.result ?? null)) yield { ...row, ...added }
  },
})
