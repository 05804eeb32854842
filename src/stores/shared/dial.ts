import type { Socket } from 'node:net'
import { NetworkError } from '../../network/errors.ts'
import { Scope } from '../../network/scope.ts'
import { type StoreContext, StoreError } from '../store.ts'

/** A connection to a store's server, made by the dialer: whoever set the store up wrote the host. */
export async function dialStore(
  context: StoreContext,
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const reach = new Scope(target.host).reach(target.host)
  try {
    return (await context.dialer.connect(target, { reach, signal })).socket
  } catch (error) {
    throw networkFailure(error)
  }
}

/** A failure of the network, as a store tells it. */
export function networkFailure(error: unknown): unknown {
  if (!(error instanceof NetworkError) || error.code === 'aborted') return error
  return new StoreError(error.code, error.message, { retryable: !error.final, cause: error })
}
