import type { IncomingMessage } from 'node:http'

/** Connection headers are between two neighbours, and the proxy's password is ours. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export const hasBody = (incoming: IncomingMessage) =>
  incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined

/** The headers as they came, order, case and repetitions included, without those of the connection itself. */
export function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    if (!hopByHop.has(raw[index]!.toLowerCase())) kept.push(raw[index]!, raw[index + 1]!)
  }
  return kept
}
