import { createHash } from 'node:crypto'
import type { Call } from './call.ts'
import { jsonReply, Refusal, type Reply } from './reply.ts'

interface Part {
  name: string
  filename: string | null
  type: string
  bytes: number
  sha256: string
  text: string
}

/** What arrived, so that a client can see what it sent. */
export async function echo(call: Call): Promise<Reply> {
  const body = await call.body()
  const { method, url, contentType } = call
  return jsonReply({
    method,
    url: url.href,
    path: url.pathname,
    query: gather([...url.searchParams]),
    headers: call.request.headers,
    bytes: body.length,
    ...contentOf(call, contentType, body),
  })
}

function contentOf(call: Call, contentType: string, body: Buffer): Record<string, unknown> {
  if (body.length === 0) return { body: null }
  if (contentType === 'application/x-www-form-urlencoded') {
    return { form: gather([...new URLSearchParams(body.toString())]) }
  }
  if (contentType === 'multipart/form-data') {
    const parts = partsOf(call.request.headers['content-type'] ?? '', body)
    return {
      form: gather(parts.filter(part => part.filename === null).map(({ name, text }) => [name, text])),
      files: parts.filter(part => part.filename !== null),
    }
  }
  return { body: body.toString(), json: parsed(body) }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}

/** A name that comes twice has a list. */
function gather(pairs: [string, string][]): Record<string, string | string[]> {
  const groups = Map.groupBy(pairs, ([name]) => name)
  return Object.fromEntries(
    [...groups].map(([name, list]) => [name, list.length > 1 ? list.map(pair => pair[1]) : list[0]![1]]),
  )
}

function partsOf(contentType: string, body: Buffer): Part[] {
  const match = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  if (!boundary) throw new Refusal(400, 'the multipart body has no boundary in its content type')
  // Latin-1 maps each byte to one character, so that the pieces can be cut as text and files stay as they are.
  const pieces = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`)
  if (!pieces.at(-1)?.startsWith('--'))
    throw new Refusal(400, 'the multipart body does not end with its boundary')
  return pieces.slice(1, -1).map(partOf)
}

function partOf(piece: string): Part {
  const middle = piece.indexOf('\r\n\r\n')
  if (middle < 0) throw new Refusal(400, 'a part of the multipart body has no headers')
  const head = Buffer.from(piece.slice(0, middle), 'latin1').toString()
  const content = Buffer.from(piece.slice(middle + 4), 'latin1')
  return {
    name: /[;\s]name="([^"]*)"/i.exec(head)?.[1] ?? '',
    filename: /filename="([^"]*)"/i.exec(head)?.[1] ?? null,
    type: /^content-type:\s*(.+)$/im.exec(head)?.[1]?.trim() ?? 'text/plain',
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    text: content.toString(),
  }
}
