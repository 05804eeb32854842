import { pageBody } from './browsing/body.ts'
import { scriptFlags, urlArgument, visitorFlags, waitFlags } from './browsing/flags.ts'
import { addedColumns } from './browsing/rows.ts'
import { command } from './command.ts'

export default command({
  name: 'session',
  kind: 'expand',
  group: 'get',
  summary: 'Acts on a page by JavaScript and gives what the site then keeps with its visitor',
  help: 'The page is loaded, then each expression runs in turn; one that leads to another page is followed there before the next. The row has `cookieStorage`, `localStorage` and `sessionStorage` as they are in the end, which `open` and the others take again, and the `url` at which it ended. Expressions take no tokens: values of the row go through `--args`. It is never cached.',
  arguments: [
    urlArgument,
    {
      name: 'expression',
      type: 'javascript',
      repeated: true,
      help: 'JavaScript expressions or arrow functions, to be run one after the other.',
    },
  ],
  flags: [...scriptFlags, ...waitFlags, ...visitorFlags],
  volatile: true,
  examples: [
    {
      title: 'A basket, filled by hand',
      query:
        'session http://localhost:1969/shop "id => localStorage.setItem(\'basket\', JSON.stringify([id]))" "location.href = \'/basket\'" --args [7] || table url localStorage',
      output: [{ url: 'http://localhost:1969/basket', localStorage: { basket: '[7]' } }],
    },
    {
      title: 'What a page has written by itself',
      query: 'session http://localhost:1969/login "document.title" || table localStorage sessionStorage',
      output: [{ localStorage: { theme: 'light' }, sessionStorage: { lastPage: '/login' } }],
    },
  ],
  expand: async function* ({ args, flags, browser }) {
    const answer = await browser.run('session', pageBody(args.url, flags, { expression: args.expression }))
    yield { ...addedColumns(answer), url: answer.url }
  },
})
