// The server that rows are posted to: takes them, and counts the bytes.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '../child.ts'

let bytes = 0
const server = createServer(async (request, response) => {
  for await (const chunk of request) bytes += (chunk as Buffer).length
  response.writeHead(204).end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')

serve({
  address: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  bytes: () => bytes,
})
