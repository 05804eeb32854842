import { useSyncExternalStore } from 'react'

/** Whether the server answers. While it does not, it is asked every second, and whoever listens hears when it is back. */
let reachable = true
const listeners = new Set<() => void>()

function set(value: boolean): void {
  if (reachable === value) return
  reachable = value
  for (const listener of listeners) listener()
}

export const reportReachable = (): void => set(true)

export function reportUnreachable(): void {
  if (!reachable) return
  set(false)
  void askUntilBack()
}

async function askUntilBack(): Promise<void> {
  while (!reachable) {
    await new Promise(resolve => setTimeout(resolve, 1000))
    try {
      const { ok } = await fetch('/readyz')
      if (ok) set(true)
    } catch {
      // Still away.
    }
  }
}

/** When the server answers: at once, or once it is back. */
export async function untilReachable(): Promise<void> {
  const { ok } = await fetch('/readyz').catch(() => ({ ok: false }))
  if (ok) return
  reportUnreachable()
  await new Promise<void>(resolve => {
    const stop = subscribe(() => {
      stop()
      resolve()
    })
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const isReachable = (): boolean => reachable
export const onConnectionChange = subscribe
export const useReachable = (): boolean => useSyncExternalStore(subscribe, isReachable)
