import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { isReachable, onConnectionChange } from '../api/connection.ts'
import { Problem, Unreachable } from '../api/problem.ts'

/** As the client does it, but for integers that a double cannot hold, which JSON.stringify refuses. */
function hashOf(key: QueryKey): string {
  return JSON.stringify(key, (_name, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isPlain ? Object.fromEntries(Object.entries(value).sort()) : value
  })
}

/** What the server said stays said; only where it could not be reached, or asked for patience, is it asked again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) =>
        error instanceof Unreachable || (error instanceof Problem && error.status === 503 && count < 20),
      retryDelay: 1000,
      networkMode: 'always',
      staleTime: 2000,
      queryKeyHashFn: hashOf,
    },
    mutations: { networkMode: 'always' },
  },
})

// What was on the screen when the server went away may have changed meanwhile.
onConnectionChange(() => {
  if (isReachable()) void queryClient.invalidateQueries()
})
