import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Page, QueryRecord, QueryStatus, StageRecord } from '../api/types.ts'

export const isActive = (status: QueryRecord['status']): boolean =>
  status === 'queued' || status === 'running'

/** How often a running query is looked at besides its events: they do not tell how long a domain has to wait. */
const POLL_MS = 1000

export const recordQuery = (id: string) =>
  queryOptions({
    queryKey: ['queries', id],
    queryFn: ({ signal }) => api.get<QueryRecord>(`/v1/sirp/queries/${id}`, { signal }),
    refetchInterval: ({ state }) => (state.data && isActive(state.data.status) ? POLL_MS : false),
  })

export const stagesQuery = (id: string) =>
  queryOptions({
    queryKey: ['queries', id, 'stages'],
    queryFn: async ({ signal }) =>
      (await api.get<Page<StageRecord>>(`/v1/sirp/queries/${id}/stages`, { signal, query: { limit: 1000 } }))
        .items,
  })

export const statusQuery = (id: string) =>
  queryOptions({
    queryKey: ['queries', id, 'status'],
    queryFn: ({ signal }) => api.get<QueryStatus>(`/v1/sirp/queries/${id}/status`, { signal }),
    refetchInterval: POLL_MS,
  })

/** The last queries, the latest first. */
export const historyQuery = queryOptions({
  queryKey: ['queries', 'history'],
  queryFn: async ({ signal }) =>
    (await api.get<Page<QueryRecord>>('/v1/sirp/queries', { signal, query: { limit: 100 } })).items,
})
