import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createPacResolver } from 'pac-resolver'
import { QuickJS } from 'quickjs-wasi'
import { contains, parseAddress } from './addresses.ts'
import type { FromPac, ToPac } from './pac.ts'

/**
 * One PAC file on a thread of its own, in a QuickJS sandbox. The interrupt handler is asked every ten thousand
 * branches only, so a file can keep its thread busy for long; whoever started the thread ends it then.
 */
const memoryLimit = 16 * 1024 * 1024
const stepMs = 200

const port: MessagePort = parentPort!
const send = (message: FromPac) => port.postMessage(message)
const asked = new Map<string, ((address: string | null) => void)[]>()
let stepEnds = 0
const startStep = () => {
  stepEnds = performance.now() + stepMs
}

/** Names are resolved by the thread that started this one, by the same resolver as everything else. */
function resolveName(host: string): Promise<string | null> {
  if (isIPv4(host)) return Promise.resolve(host)
  return new Promise(resolve => {
    const waiting = asked.get(host)
    if (waiting) return waiting.push(resolve)
    asked.set(host, [resolve])
    return send({ lookup: host })
  })
}

/** The library's own versions ask the system's resolver, and its `myIpAddress` opens a connection. */
const sandbox = {
  alert: () => {},
  dnsResolve: async (host: unknown) => await resolveName(String(host)),
  isResolvable: async (host: unknown) => (await resolveName(String(host))) !== null,
  isInNet: async (host: unknown, pattern: unknown, mask: unknown) =>
    inNet(await resolveName(String(host)), String(pattern), String(mask)),
  myIpAddress: async () => ownAddress(),
}

function inNet(address: string | null, pattern: string, mask: string): boolean {
  const [bytes, base, bits] = [address ?? '', pattern, mask].map(parseAddress)
  if (bytes?.length !== 4 || base?.length !== 4 || bits?.length !== 4) return false
  const masked = (value: Uint8Array) => value.map((byte, index) => byte & bits[index]!)
  return contains({ bytes: masked(base), bits: 32 }, masked(bytes))
}

const ownAddress = () =>
  Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'

const machine = await QuickJS.create({ memoryLimit, interruptHandler: () => performance.now() > stepEnds })
startStep()
const find = createPacResolver(machine, workerData as string, { sandbox })

port.on('message', async (message: ToPac) => {
  startStep()
  if ('resolved' in message) {
    const waiting = asked.get(message.resolved) ?? []
    asked.delete(message.resolved)
    for (const resolve of waiting) resolve(message.address)
    return
  }
  const { id, url } = message
  try {
    send({ id, answer: String((await find(url)) ?? '') })
  } catch (error) {
    send({ id, failed: error instanceof Error ? error.message : String(error) })
  }
})
