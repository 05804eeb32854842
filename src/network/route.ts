import type { Connection, Dialer, Target } from './dialer.ts'
import { NetworkError } from './errors.ts'
import type { Route } from './pac.ts'
import type { Reach } from './policy.ts'
import { connectToProxy, tunnel } from './proxy.ts'

export interface RouteOptions {
  /** How far the target may lie, and how far the proxy. */
  readonly reach: Reach
  readonly proxyReach: Reach
  /** For the certificate of an https proxy. */
  readonly verify: boolean
  readonly signal?: AbortSignal
  readonly timeoutMs: number
}

/** A name that only the proxy can resolve must not hold a job up for long. */
const checkMs = 2000

/** Connects to a target straight or through a proxy; the rule holds for the proxy and for what is behind it. */
export async function connectVia(
  dialer: Dialer,
  route: Route,
  target: Target,
  options: RouteOptions,
): Promise<Connection> {
  if (route === 'direct') return dialer.connect(target, options)
  const isPublic = await checkBehindProxy(dialer, target, options)
  const socket = await tunnel(dialer, route, target, { ...options, reach: options.proxyReach })
  return { socket, public: isPublic }
}

/** Connects to an http proxy for requests to `target` in absolute form. */
export async function connectForAbsoluteForm(
  dialer: Dialer,
  route: Exclude<Route, 'direct'>,
  target: Target,
  options: RouteOptions,
): Promise<Connection> {
  const isPublic = await checkBehindProxy(dialer, target, options)
  const socket = await connectToProxy(dialer, route, { ...options, reach: options.proxyReach })
  return { socket, public: isPublic }
}

/**
 * The proxy resolves the name by itself, perhaps on this very network, so it is resolved and checked here as well.
 * A name unknown here is the proxy's affair: it counts as public.
 */
async function checkBehindProxy(dialer: Dialer, target: Target, options: RouteOptions): Promise<boolean> {
  try {
    const resolved = await dialer.resolve(target, {
      reach: options.reach,
      timeoutMs: Math.min(checkMs, options.timeoutMs),
      ...(options.signal ? { signal: options.signal } : {}),
    })
    return resolved.public
  } catch (error) {
    const unknown =
      error instanceof NetworkError && (error.code === 'dns_error' || error.code === 'connect_timeout')
    if (unknown) return true
    throw error
  }
}
