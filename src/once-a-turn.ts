/** Does something once for all who ask for it in one turn, when they have asked. */
export function onceATurn(work: () => void): () => void {
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    queueMicrotask(() => {
      isAsked = false
      work()
    })
  }
}
