import { useEffect, useEffectEvent } from 'react'

const AGAIN_MS = 1000
/** A stage of many small jobs tells of each; a screen needs no more than this. */
const CALM_MS = 250

/** Calls `onChange` when something happens in a query, soon but not too often; a broken line is taken up again. */
export function useEvents(id: string | undefined, isOn: boolean, onChange: () => void): void {
  const tell = useEffectEvent(onChange)
  useEffect(() => {
    if (id === undefined || !isOn) return
    let source: EventSource | undefined
    let again: ReturnType<typeof setTimeout> | undefined
    let soon: ReturnType<typeof setTimeout> | undefined
    const change = () => {
      soon ??= setTimeout(() => {
        soon = undefined
        tell()
      }, CALM_MS)
    }
    const open = () => {
      source = new EventSource(`/v1/sirp/queries/${id}/events`)
      for (const name of ['status', 'stage', 'done']) source.addEventListener(name, change)
      source.addEventListener('error', () => {
        // By itself it would try again only after some kinds of failure.
        source?.close()
        change()
        again = setTimeout(open, AGAIN_MS)
      })
    }
    open()
    return () => {
      source?.close()
      clearTimeout(again)
      clearTimeout(soon)
    }
  }, [id, isOn])
}
