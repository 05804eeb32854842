/** A plan without its places, to compare what two texts mean. */
export function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([key]) => !PLACES.has(key))
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutPlaces(item)]))
}

const PLACES = new Set(['span', 'line', 'column', 'query'])
