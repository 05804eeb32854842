import { queryOptions } from '@tanstack/react-query'
import { api, segment } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import type { Page, QueryRecord, QueryStatus, StageRecord } from '../api/types.ts'

export const isActive = (status: QueryRecord['status']): boolean =>
  status === 'queued' || status === 'running'

/** Deleted, perhaps in another window while it was looked at here. */
export const isGone = (error: Error | null): boolean => error instanceof Problem && error.status === 404

/** How often a running query is looked at besides its events: they do not tell how long a domain has to wait. */
const POLL_MS = 1000

export const recordQuery = (id: string) =>
  queryOptions({
    queryKey: ['queries', id],
    queryFn: ({ signal }) => api.get<QueryRecord>(`/v1/sirp/queries/${segment(id)}`, { signal }),
    refetchInterval: ({ state: { data, error } }) =>
      data && isActive(data.status) && !isGone(error) ? POLL_MS : false,
  })

export const stagesQuery = (id: string) =>
  queryOptions({
    queryKey: ['queries', id, 'stages'],
    queryFn: async ({ signal }) =>
      (
        await api.get<Page<StageRecord>>(`/v1/sirp/queries/${segment(id)}/stages`, {
          signal,
          query: { limit: 1000 },
        })
      ).items,
  })

export const statusQuery = (id: string) =>
  queryOptions({
    queryKey: ['queries', id, 'status'],
    queryFn: ({ signal }) => api.get<QueryStatus>(`/v1/sirp/queries/${segment(id)}/status`, { signal }),
    refetchInterval: POLL_MS,
  })

/** The last queries, the latest first. */
export const historyQuery = queryOptions({
  queryKey: ['queries', 'history'],
  queryFn: async ({ signal }) =>
    (await api.get<Page<QueryRecord>>('/v1/sirp/queries', { signal, query: { limit: 100 } })).items,
})
