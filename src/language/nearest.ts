/** The name that a misspelt one was most likely meant to be; undefined when nothing is near. */
export function nearest(wanted: string, names: Iterable<string>): string | undefined {
  const target = wanted.toLowerCase()
  const limit = target.length <= 3 ? 1 : target.length <= 6 ? 2 : 3
  let best: string | undefined
  let bestDistance = limit + 1
  for (const name of names) {
    const candidate = name.toLowerCase()
    const distance = Math.min(
      editDistance(target, candidate, bestDistance),
      prefixDistance(target, candidate),
    )
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** `desc` is near `descending`: the start of a name counts like a single slip. */
const prefixDistance = (target: string, candidate: string): number =>
  target.length >= 3 && candidate.startsWith(target) ? 1.5 : Number.POSITIVE_INFINITY

/** Insertions, deletions, substitutions and swapped neighbours; gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, before[j - 2]! + 1)
      current.push(cost)
    }
    if (Math.min(...current) >= limit) return limit
    before = previous
    previous = current
  }
  return previous[b.length]!
}
