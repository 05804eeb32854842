import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Page } from '../api/types.ts'

/** The most that the server answers at once. */
const LIMIT = 1000

/** A list of the server, known by its path. */
export function useList<T>(path: string, refetchMs?: number, limit = LIMIT): UseQueryResult<Page<T>> {
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.get<Page<T>>(path, { query: { limit }, signal }),
    ...(refetchMs !== undefined && { refetchInterval: refetchMs }),
  })
}

/** To be called after a change: the list is asked for again. */
export function useRefresh(path: string): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [path] })
}
