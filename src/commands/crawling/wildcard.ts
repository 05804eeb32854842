/**
 * Whether a pattern in which `*` stands for any characters fits the beginning of a text, or with `whole` all of it. By
 * searching for one piece after the other, so that no pattern takes longer than its length times that of the text.
 */
export function fitsWildcard(pattern: string, text: string, whole: boolean): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (!text.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return !whole || text.length === first.length
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return whole ? text.length - last.length >= at && text.endsWith(last) : text.indexOf(last, at) >= 0
}

/** A pattern for addresses: one that begins with `/` is for the path and query, any other for the whole address. */
export const fitsAddress = (pattern: string, url: URL): boolean =>
  fitsWildcard(pattern, pattern.startsWith('/') ? url.pathname + url.search : url.href, true)
