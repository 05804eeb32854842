import { errorCodes } from '../../src/errors.ts'

/** docs/errors.md. */
export const errorsPage = (): string => `# Errors

Every error is answered as \`application/problem+json\` (RFC 9457), also those of the connection itself:

\`\`\`json
{
  "type": "/docs/errors#invalid_request",
  "title": "The request is not valid",
  "status": 400,
  "detail": "Not valid in the body: $.nam is not known here; did you mean \\"name\\"?",
  "code": "invalid_request",
  "errors": [{ "path": "$.nam", "message": "is not known here; did you mean \\"name\\"?", "in": "body" }],
  "requestId": "ec296da8-7801-4964-997e-a56e910393d5"
}
\`\`\`

\`code\` is stable: programs may rely on it, while \`title\` and \`detail\` are for people and may be reworded. \`errors\` names
each thing that is wrong (it may be empty): \`path\` starts with \`$\`, and \`in\` says what it is a path into, \`body\`,
\`query\`, \`path\` or \`header\`. \`requestId\` is that of the header \`X-Request-Id\` and of the log.

| code | status | title | meaning |
|---|---|---|---|
${Object.entries(errorCodes)
  .map(([code, { status, title, meaning }]) => `| \`${code}\` | ${status} | ${title} | ${meaning} |`)
  .join('\n')}
`
