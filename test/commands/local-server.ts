import type { IncomingMessage, RequestListener } from 'node:http'
import type { TestContext } from 'node:test'
import { serve as serveOnPort } from '../network/servers.ts'

/** A server for the time of one test; gives its address. */
export const serve = async (context: TestContext, listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await serveOnPort(context, listener)}`

export async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
