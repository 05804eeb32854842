import { pageBody } from './browsing/body.ts'
import {
  engineFlag,
  expressionFlag,
  pictureFlags,
  scriptFlags,
  sessionFlag,
  urlArgument,
  visitorFlags,
  waitFlags,
} from './browsing/flags.ts'
import { command } from './command.ts'

export default command({
  name: 'screenshot',
  kind: 'expand',
  group: 'get',
  summary: 'Takes a picture of a page or of an element',
  help: 'Of the first element that `--selector` matches, otherwise of the whole page. A row has `hash`, `url`, `type`, `width` and `height` in pixels, and `bytes`. The picture is kept under its hash, the SHA-256 of its bytes: `GET /v1/screenshot/{hash}` answers with it, and `GET /v1/sirp/queries/{id}/screenshots` lists those of a query. It lives as long as the query.',
  arguments: [urlArgument],
  flags: [
    { name: 'selector', type: 'css', help: 'The element to show, as a CSS selector.' },
    engineFlag,
    ...pictureFlags,
    ...waitFlags,
    ...visitorFlags,
    expressionFlag,
    ...scriptFlags,
    sessionFlag,
  ],
  examples: [
    {
      title: 'One element, on a screen of one pixel for each of its own',
      query:
        'screenshot http://localhost:1969/shop/product/7 --selector ".picture img" --device Desktop --viewportWidth 1000 --type png || table url type',
      output: [{ url: 'http://localhost:1969/shop/product/7', type: 'png' }],
    },
    {
      title: 'A whole page, as wide as it should be',
      query: 'screenshot http://localhost:1969/shop --device Desktop --viewportWidth 800 || table type width',
      output: [{ type: 'jpeg', width: 800 }],
    },
  ],
  expand: async function* ({ args, flags, browser }) {
    const { url, screenshot, cookieStorage, localStorage, sessionStorage } = await browser.run(
      'screenshot',
      pageBody(args.url, flags),
    )
    const { hash, type, width, height, bytes } = screenshot!
    const storages = cookieStorage && { cookieStorage, localStorage, sessionStorage }
    yield { hash, url, type, width, height, bytes, ...(storages as object) }
  },
})
