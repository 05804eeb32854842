/** So many results are kept; then it starts anew. */
const MOST = 100

/** A function of a text that is asked for the same few texts over and over: each is worked out once. */
export function remembered<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= MOST) known.clear()
    const made = work(text)
    known.set(text, made)
    return made
  }
}
