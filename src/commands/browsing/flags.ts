/** The options of the browser as flags, as the interface document names them. */

/** The address of every command that opens a page. */
export const urlArgument = {
  name: 'url',
  type: 'url',
  secret: true,
  help: 'The address of the page.',
} as const

/** What the visitor is: what it brings along, and what it looks like to the site. */
export const visitorFlags = [
  {
    name: 'cookieStorage',
    type: 'json',
    secret: true,
    help: 'Cookies to bring: an object by name, each `{value, domain, path, expires, httpOnly, secure, session}`, all but `value` optional; as `form`, `session` and `--session` give them.',
  },
  {
    name: 'localStorage',
    type: 'json',
    help: 'What the local storage holds before the page loads: an object.',
  },
  {
    name: 'sessionStorage',
    type: 'json',
    help: 'What the session storage holds before the page loads: an object.',
  },
  {
    name: 'headers',
    type: 'json',
    secret: true,
    help: 'Headers to send, to the origin of the address alone: an object of texts.',
  },
  {
    name: 'device',
    type: 'text',
    names: 'device',
    help: 'What the browser stands for, one of `devices`; a phone unless said.',
  },
  { name: 'viewportWidth', type: 'number', min: 1, max: 10_000, help: 'How wide the window is, in pixels.' },
  { name: 'viewportHeight', type: 'number', min: 1, max: 10_000, help: 'How high the window is, in pixels.' },
  {
    name: 'proxy',
    type: 'text',
    secret: true,
    help: 'The proxy to go through: `http://`, `https://`, `socks://`, `socks4://`, `socks5://`, or `pac+https://` and the address of a PAC file.',
  },
  {
    name: 'filter',
    type: 'text',
    repeated: true,
    help: 'Requests that are not made: a host, a path or both, with `*` for any characters (`*.png`, `ads.example.com`, `/track/*`).',
  },
] as const

/** When the page counts as loaded. */
export const waitFlags = [
  {
    name: 'wait',
    type: 'css',
    repeated: true,
    tokens: 'none',
    help: 'What to wait for: milliseconds, a selector, `url:` or `response:` and a glob, or an arrow function that must become true. Several are all waited for.',
  },
  {
    name: 'ready',
    type: 'choice',
    choices: ['idle', 'net2', 'winload', 'domload'],
    help: 'How far the page must have loaded: no connections for 500 ms, at most 2, the load event (unless said), or the document alone.',
  },
  {
    name: 'visible',
    type: 'boolean',
    help: 'The selector of `--wait`, else of `--selector`, must be visible too.',
  },
  { name: 'hidden', type: 'boolean', help: 'That selector must be hidden or gone instead.' },
  {
    name: 'polling',
    type: 'text',
    help: 'How often it is looked: milliseconds, `raf` (each frame, unless said) or `mutation` (each change).',
  },
] as const

/** What an expression is called with. */
export const scriptFlags = [
  {
    name: 'args',
    type: 'json',
    help: 'What the arrow function is called with: an array. Row values go here.',
  },
  { name: 'jquery', type: 'boolean', help: 'Gives it jQuery, as `$` of its last argument.' },
  { name: 'lodash', type: 'boolean', help: 'Gives it lodash, as `_` of its last argument.' },
  { name: 'mathjs', type: 'boolean', help: 'Gives it math.js, as `mathjs` of its last argument.' },
] as const

export const expressionFlag = {
  name: 'expression',
  type: 'javascript',
  help: 'JavaScript to run in the page before it is looked at.',
} as const

export const sessionFlag = {
  name: 'session',
  type: 'boolean',
  help: 'Adds `cookieStorage`, `localStorage` and `sessionStorage` as they are in the end.',
} as const

export const engineFlag = {
  name: 'engine',
  type: 'choice',
  choices: ['dom', 'jquery'],
  help: 'Who reads the selector: the browser, or jQuery with its own extensions.',
} as const

/** What a picture is like. */
export const pictureFlags = [
  {
    name: 'type',
    type: 'choice',
    choices: ['png', 'jpeg', 'webp'],
    help: 'The type of the picture; jpeg unless said.',
  },
  { name: 'quality', type: 'number', min: 1, max: 100, help: 'The quality of the picture, from 1 to 100.' },
  {
    name: 'background',
    type: 'text',
    help: 'The background of the picture, as CSS; `transparent` for none, which jpeg cannot have.',
  },
] as const

export const screenshotFlags = [
  {
    name: 'screenshot',
    type: 'boolean',
    help: 'Takes a picture of the whole page as well; its hash is the column `_screenshot`.',
  },
  ...pictureFlags,
] as const
