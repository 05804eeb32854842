import { createServer, type RequestListener, request } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import type { TestContext } from 'node:test'
import { certificate, key } from './certificate.ts'

/** Listens on a free loopback port until the test is over, then cuts every connection. */
export async function listen(context: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(async () => {
    const closed = new Promise(resolve => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return (server.address() as AddressInfo).port
}

export const serve = (context: TestContext, handler: RequestListener) =>
  listen(context, createServer(handler))

export const serveTls = (context: TestContext, handler: RequestListener) =>
  listen(context, createTlsServer({ cert: certificate, key }, handler))

/** What a proxy was asked for, and where it really connects: the port decides, the name does not have to exist. */
export interface ProxyLog {
  readonly port: number
  readonly asked: string[]
}

const join = (client: Socket, port: number, ready: (upstream: Socket) => void) => {
  const upstream = connect({ host: '127.0.0.1', port }, () => ready(upstream))
  upstream.on('error', () => client.destroy())
  client.on('error', () => upstream.destroy())
}

interface HttpProxyOptions {
  readonly authorization?: string
  readonly tls?: boolean
}

/** An HTTP proxy: absolute form and CONNECT, with or without a password, itself plain or behind TLS. */
export async function httpProxy(context: TestContext, options: HttpProxyOptions = {}): Promise<ProxyLog> {
  const asked: string[] = []
  const isRefused = (given: string | undefined) =>
    options.authorization !== undefined && given !== options.authorization
  const onRequest: RequestListener = (incoming, answer) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    if (isRefused(incoming.headers['proxy-authorization'])) return void answer.writeHead(407).end('no')
    const url = new URL(incoming.url!)
    const { 'proxy-authorization': _, ...headers } = incoming.headers
    const onward = request(
      { host: '127.0.0.1', port: url.port, path: url.pathname, method: incoming.method, headers },
      response => {
        answer.writeHead(response.statusCode!, response.headers)
        response.pipe(answer)
      },
    )
    onward.on('error', () => answer.writeHead(502).end())
    incoming.pipe(onward)
  }
  const server = options.tls
    ? createTlsServer({ cert: certificate, key }, onRequest)
    : createServer(onRequest)
  server.on('connect', (incoming, client: Socket) => {
    asked.push(`CONNECT ${incoming.url}`)
    if (isRefused(incoming.headers['proxy-authorization']))
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    join(client, Number(incoming.url!.split(':').at(-1)), upstream => {
      client.write('HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
  })
  return { port: await listen(context, server), asked }
}

/** A SOCKS server for versions 4, 4a and 5; with a user, version 5 asks for it. */
export async function socksProxy(
  context: TestContext,
  user?: { readonly name: string; readonly password: string },
): Promise<ProxyLog> {
  const asked: string[] = []
  const server = createTcpServer(async client => {
    const read = reader(client)
    const version = (await read(1))[0]
    const target = version === 5 ? await greet5(client, read, user) : await greet4(read)
    if (target === undefined) return void client.end()
    asked.push(`${version} ${target.host}:${target.port}`)
    join(client, target.port, upstream => {
      client.write(
        version === 5 ? Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]) : Buffer.from([0, 90, 0, 0, 0, 0, 0, 0]),
      )
      upstream.pipe(client)
      client.on('readable', () => {
        for (let chunk = client.read(); chunk !== null; chunk = client.read()) upstream.write(chunk)
      })
    })
  })
  return { port: await listen(context, server), asked }
}

type Read = (count: number) => Promise<Buffer>

const reader = (socket: Socket): Read =>
  async function read(count) {
    for (;;) {
      const chunk: Buffer | null = count === 0 ? Buffer.alloc(0) : socket.read(count)
      if (chunk !== null) return chunk
      await new Promise<void>(resolve => {
        socket.once('readable', resolve)
      })
    }
  }

async function greet4(read: Read) {
  const [, high, low, ...address] = await read(7)
  const text = async () => {
    let result = ''
    for (let byte = await read(1); byte[0] !== 0; byte = await read(1)) result += byte.toString('latin1')
    return result
  }
  await text()
  const isName = address[0] === 0 && address[1] === 0 && address[2] === 0 && address[3] !== 0
  return { host: isName ? await text() : address.join('.'), port: high! * 256 + low! }
}

async function greet5(
  client: Socket,
  read: Read,
  user?: { readonly name: string; readonly password: string },
) {
  const methods = await read((await read(1))[0]!)
  const wanted = user ? 2 : 0
  if (!methods.includes(wanted)) return void client.write(Buffer.from([5, 255]))
  client.write(Buffer.from([5, wanted]))
  if (user) {
    await read(1)
    const name = (await read((await read(1))[0]!)).toString()
    const password = (await read((await read(1))[0]!)).toString()
    const right = name === user.name && password === user.password
    client.write(Buffer.from([1, right ? 0 : 1]))
    if (!right) return undefined
  }
  const kind = (await read(4))[3]
  const address = await read(kind === 1 ? 4 : kind === 4 ? 16 : (await read(1))[0]!)
  const port = (await read(2)).readUInt16BE()
  return {
    host: kind === 1 ? address.join('.') : kind === 4 ? address.toString('hex') : address.toString(),
    port,
  }
}
