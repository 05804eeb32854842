import { pageBody } from './browsing/body.ts'
import { fillOf } from './browsing/fill.ts'
import { urlArgument, visitorFlags, waitFlags } from './browsing/flags.ts'
import { addedColumns } from './browsing/rows.ts'
import { command } from './command.ts'

export default command({
  name: 'form',
  kind: 'expand',
  group: 'get',
  summary: 'Fills in a form of a page and sends it',
  help: [
    'The fields are filled in the order in which they are written, then `--submit` is pressed. Each is waited for. `--wait` is for the page that this leads to.',
    'A field is written as `css=value`; the selector ends at the first `=` outside brackets and quotes. A selector that begins with a bracket is written as `["css", "value"]`. A check box is ticked by any value but `false`, `0`, `off` and `no`; a choice is taken by its value or its text.',
    'The row has the `url` that it led to, and `cookieStorage`, `localStorage` and `sessionStorage`, which `open` and the others take again. It is never cached.',
  ].join('\n\n'),
  arguments: [urlArgument],
  flags: [
    {
      name: 'fill',
      type: 'json',
      orText: true,
      repeated: true,
      secret: true,
      help: 'A field and its value: `css=value`, or `["css", "value"]`.',
    },
    { name: 'submit', type: 'css', help: 'What to press: a button, or the form itself.' },
    ...waitFlags,
    ...visitorFlags,
  ],
  volatile: true,
  examples: [
    {
      title: 'Signing in, and what is behind it',
      query:
        'form http://localhost:1969/login --fill "#user=demo" --fill "#password=forage" --submit "#submit" || open http://localhost:1969/account --cookieStorage $cookieStorage$ --selector "#user" || table innerText _url',
      output: [{ innerText: 'demo', _url: 'http://localhost:1969/account' }],
    },
    {
      title: 'A form that is refused stays where it was',
      query:
        'form http://localhost:1969/login --fill ["#user", "demo"] --fill ["[name=password]", "wrong"] --submit "#submit" || table url',
      output: [{ url: 'http://localhost:1969/login' }],
    },
  ],
  expand: async function* ({ args, flags, browser }) {
    const { fill, submit } = flags
    const selectorValuePairs = fill?.map(fillOf)
    const body = pageBody(args.url, flags, {
      ...(selectorValuePairs && { selectorValuePairs }),
      ...(submit !== undefined && { submitSelector: submit }),
    })
    const answer = await browser.run('form', body)
    yield { url: answer.url, ...addedColumns(answer) }
  },
})
