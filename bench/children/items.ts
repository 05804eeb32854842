// The server that is asked: a small JSON object for every number.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '../child.ts'

const server = createServer((request, response) => {
  const id = request.url!.slice(request.url!.lastIndexOf('/') + 1)
  const body = `{"id":${id},"name":"Item ${id}","tags":["a","b"],"stock":{"here":${id},"there":0}}`
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
}).listen(0, '127.0.0.1')
await once(server, 'listening')

serve({ address: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
