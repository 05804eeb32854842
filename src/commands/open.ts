import { actionsOf, pageBody } from './browsing/body.ts'
import {
  engineFlag,
  expressionFlag,
  screenshotFlags,
  scriptFlags,
  sessionFlag,
  urlArgument,
  visitorFlags,
  waitFlags,
} from './browsing/flags.ts'
import { addedColumns } from './browsing/rows.ts'
import { command } from './command.ts'

export default command({
  name: 'open',
  kind: 'expand',
  group: 'get',
  summary: 'Opens a page in the browser and gives a row for each element',
  help: [
    'The page is loaded and its scripts run, as a visitor would see it. Each element is a row: `nodeName`, `attributes`, `innerText`, `parentElement.nodeName`, `parentElement.attributes`, and `_url`, the address at which the page was in the end. `--selector` says which elements; without it all in the body are given. A page without such an element fails the row with `no_match`.',
    '`--click` and `--scroll` act on the page first, one after the other as they are written. An element to click is waited for up to five seconds, and where a click leads to another page, that one is looked at. `--scroll end` goes on for as long as the page grows; one without an end runs out of time. With them, `--wait` is for what they lead to.',
    '`--expression` is called with the elements, then `--args`, then the libraries; what it gives is the column `_result`.',
    'Each page is a request under the policy of its domain; what the page itself loads is not.',
  ].join('\n\n'),
  arguments: [urlArgument],
  flags: [
    { name: 'selector', type: 'css', default: 'body *', help: 'The elements to give, as a CSS selector.' },
    engineFlag,
    { name: 'html', type: 'boolean', default: false, help: 'Adds `innerHTML` and `outerHTML`.' },
    {
      name: 'hashtml',
      type: 'boolean',
      default: false,
      help: 'Adds their SHA-256, `innerHTMLHash` and `outerHTMLHash`.',
    },
    {
      name: 'dimension',
      type: 'boolean',
      default: false,
      help: 'Adds where it is on the page: `dimension.x`, `.y`, `.width`, `.height` and so on.',
    },
    {
      name: 'click',
      type: 'css',
      repeated: true,
      ordered: true,
      help: 'Clicks the first element that this selector matches.',
    },
    {
      name: 'scroll',
      type: 'text',
      repeated: true,
      ordered: true,
      help: 'Scrolls down by so many pixels, or to the `end`.',
    },
    ...waitFlags,
    ...visitorFlags,
    expressionFlag,
    ...scriptFlags,
    ...screenshotFlags,
    sessionFlag,
  ],
  examples: [
    {
      title: 'The prices of a shop',
      query:
        'open http://localhost:1969/shop --selector ".product" --html || html innerHTML --selector ".price" || table attributes.data-id _html.innerText || head 2',
      output: [
        { attributes: { 'data-id': '1' }, _html: { innerText: '$702.00' } },
        { attributes: { 'data-id': '2' }, _html: { innerText: '$355.99' } },
      ],
    },
    {
      title: 'A page that is made by script: wait for what it makes',
      query:
        'open http://localhost:1969/script --wait ".product" --selector ".product .name" || table nodeName innerText parentElement.nodeName || head 1',
      output: [{ nodeName: 'H2', innerText: 'Kestrel Mini', parentElement: { nodeName: 'ARTICLE' } }],
    },
    {
      title: 'A list that grows when its end comes into view',
      query: 'open http://localhost:1969/scroll --scroll end --selector ".product" || count',
      output: [{ count: 120 }],
    },
    {
      title: 'From page to page: the address in the end is _url',
      query:
        'open http://localhost:1969/shop --click ".pages a.next" --wait "url:*page=2" --selector h1 || table innerText _url',
      output: [{ innerText: 'All products', _url: 'http://localhost:1969/shop?page=2' }],
    },
  ],
  expand: async function* ({ args, flags, browser, ordered }) {
    const actions = actionsOf(ordered)
    for await (const part of browser.open(pageBody(args.url, flags, { actions }))) {
      const added = { ...(part.result != null && { _result: part.result }), ...addedColumns(part) }
      yield part.elements.map(element => ({ ...element, _url: part.url, ...added }))
    }
  },
})
