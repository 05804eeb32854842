import { Registry } from 'prom-client'
import { type ApiDependencies, apiRoutes } from '../../src/http/api.ts'
import type { App } from '../../src/http/context.ts'
import { type OperationId, operationIds, operationOf } from '../../src/http/operations.ts'

interface Built {
  readonly operationId: OperationId
  readonly description?: string
  readonly response: object
}

/** docs/api.md. */
export const apiPage = (): string => `# The HTTP interface

Version 1.3.0. One port serves everything (default 1968). The same as a document for programs: \`GET /v1/openapi.json\`;
with every field, to read and to try: \`/docs\`.

## Rules for every route

- **Key.** \`Authorization: svc <API_KEY>\`, or \`Bearer\` with the same key; without a valid one 401. Only \`/healthz\`,
  \`/readyz\`, \`/docs\`, \`/v1/openapi.json\` and the web application's own files need none. The \`Host\` header must be a name of this service
  (localhost, the address it listens on, \`FORAGE_HOSTS\`).
- **Bodies** are JSON in UTF-8, plain or with \`Content-Encoding: gzip\` or \`br\`. A field that is not known is refused by
  name; nothing is converted or dropped. Query parameters that are not known are refused too. What an operation takes
  always fits: the limit of a body follows from its schema, and is \`FORAGE_BODY_LIMIT\` where that leaves it open.
- **Errors** are \`application/problem+json\` with a stable \`code\`: see [errors](errors.md). A path that exists with
  other methods is 405 with \`Allow\`.
- **Lists** answer \`{ items, total, offset, limit }\` and take \`?offset\` and \`?limit\` (100, at most 1,000).
- **Times** are ISO 8601 in UTC, ids that Forage makes are UUIDs.
- **Creating** answers 201 with \`Location\`, deleting 204, deleting twice 404.
- **Idempotency-Key** on a POST, PUT or DELETE: within 24 hours the same request under the same key is done once and
  answered as the first time (marked \`Idempotency-Replayed: true\`; a secret that is shown once is left out). Another
  request under that key is 409, and so is the same one while the first still runs. A failed request frees the key.
- **ETag** on records: \`If-None-Match\` answers 304, \`If-Match\` guards changes and deletions (412).
- **X-Request-Id** is on every answer; a sensible one that the client sends is kept.
- Answers are compressed (\`br\`, \`gzip\`) when the client asks.
- While one of the ten services restarts, its operations answer 503 with \`Retry-After\`; the others do not notice.

## Without a key, and for machines

| route | answer |
|---|---|
| \`GET /healthz\` | 200 while the process lives |
| \`GET /readyz\` | 200 when it can take work, else 503 |
| \`GET /metrics\` | Prometheus text; needs a key |
| \`GET /v1/openapi.json\` | OpenAPI 3.1 |
| \`GET /\` and every other address that a browser opens | the [web application](web.md), which signs in by \`/session\` ([secrets](secrets.md)) |
| \`GET /docs\`, \`GET /docs/errors\` | the reference page; the error codes |

## Operations

Those marked *(ours)* are not in the interface document. *not yet*: not built, the route answers 404.

| operation | route | status | notes |
|---|---|---|---|
${rows().join('\n')}
`

function rows(): string[] {
  const built = builtOperations()
  return operationIds.map(id => {
    const { name, method, path, ours } = operationOf(id)
    const found = built.get(id)
    const statuses = found ? Object.keys(found.response).join(', ') : '*not yet*'
    return `| ${name}${ours ? ' *(ours)*' : ''} | \`${method} ${path}\` | ${statuses} | ${found?.description ?? ''} |`
  })
}

/** Registers every route with something that only writes down their schemas; no handler is ever called. */
function builtOperations(): Map<OperationId, Built> {
  const built = new Map<OperationId, Built>()
  const recorder = {
    http: { bodyLimit: 0, isRunning: () => false, metrics: new Registry() },
    route: ({ schema }: { schema: Built }) => built.set(schema.operationId, schema),
  }
  // Routes use nothing else of the server. Of their dependencies they may take parts, but call them only in handlers.
  const parts: object = new Proxy({}, { get: () => parts })
  for (const routes of apiRoutes(parts as ApiDependencies)) routes(recorder as unknown as App)
  return built
}
