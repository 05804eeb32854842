import type { Row } from '../language/json.ts'
import { pageBody } from './browsing/body.ts'
import type { PageRequest } from './browsing/browser.ts'
import {
  expressionFlag,
  scriptFlags,
  sessionFlag,
  urlArgument,
  visitorFlags,
  waitFlags,
} from './browsing/flags.ts'
import { addedColumns } from './browsing/rows.ts'
import { command } from './command.ts'

export default command({
  name: 'requests',
  kind: 'expand',
  group: 'get',
  summary: 'Gives a row for each request that a page makes',
  help: 'In the order in which they were sent, the page itself first: `url`, `method`, `resourceType` (document, script, image, fetch, …), `domain`, `external` (to another host than that of the address), `status`, `mimeType`, `size` in bytes as they came, `fromCache`, `initiator`, `failed`, `errorText`, `requestHeaders`, `responseHeaders`, `requestBody` (up to 64 KiB), and `timing.startMs`, `timing.waitMs`, `timing.durationMs`. What the page does later than it counts as loaded is seen only if it is waited for: `--ready idle`, or `--wait`.',
  arguments: [urlArgument],
  flags: [
    { name: 'responseText', type: 'boolean', help: 'Adds the answers that are texts, as `responseText`.' },
    ...waitFlags,
    ...visitorFlags,
    expressionFlag,
    ...scriptFlags,
    sessionFlag,
  ],
  examples: [
    {
      title: 'What a page asks of others',
      query: `requests http://localhost:1969/thirdparty --ready idle || filter "external and not failed and resourceType in ('fetch', 'script')" || table method resourceType domain status requestBody || sort resourceType`,
      output: [
        {
          method: 'POST',
          resourceType: 'fetch',
          domain: '127.0.0.1',
          status: 200,
          requestBody: '{"event":"view","path":"/thirdparty"}',
        },
        { method: 'GET', resourceType: 'script', domain: '127.0.0.1', status: 200 },
      ],
    },
    {
      title: 'The page itself, without its pictures',
      query:
        'requests http://localhost:1969/shop --filter "*.svg" --responseText || head 1 || extract responseText "<title>(?<title>[^<]*)" || table url method status mimeType failed title',
      output: [
        {
          url: 'http://localhost:1969/shop',
          method: 'GET',
          status: 200,
          mimeType: 'text/html',
          failed: false,
          title: 'All products · Hedgerow',
        },
      ],
    },
  ],
  expand: async function* ({ args, flags, browser }) {
    const answer = await browser.run('requests', pageBody(args.url, flags))
    const added = addedColumns(answer)
    for (const request of answer.requests ?? []) yield { ...rowOf(request), ...added }
  },
})

const rowOf = (request: PageRequest): Row => ({
  url: request.url,
  method: request.method,
  resourceType: request.type,
  domain: URL.parse(request.url)?.hostname ?? null,
  external: request.external,
  status: request.status,
  mimeType: request.mimeType,
  size: request.bytes,
  fromCache: request.fromCache,
  initiator: request.initiator,
  failed: request.failed !== null,
  errorText: request.failed,
  requestHeaders: request.requestHeaders,
  responseHeaders: request.responseHeaders,
  requestBody: request.requestBody,
  timing: { startMs: request.startMs, waitMs: request.waitMs, durationMs: request.durationMs },
  ...(request.responseText !== undefined && { responseText: request.responseText }),
})
