import type { QueryClient } from '@tanstack/react-query'
import { api, segment } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import type { QueryRecord } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { showDone } from '../components/notices.ts'

export const isUnderWay = ({ status }: Pick<QueryRecord, 'status'>): boolean =>
  status === 'running' || status === 'queued'

/** The query page with this text in its editor. */
export const writeAgain = (query: string): string => `/?q=${encodeURIComponent(query)}`

export async function cancelQueries(queries: readonly QueryRecord[], client: QueryClient): Promise<void> {
  await each(queries, ({ id }) => api.post(`/v1/sirp/queries/${segment(id)}/cancel`))
  await client.invalidateQueries({ queryKey: ['queries'] })
  showDone(queries.length === 1 ? 'The query is cancelled.' : `${queries.length} queries are cancelled.`)
}

export function deleteQueries(queries: readonly QueryRecord[], client: QueryClient, then = () => {}): void {
  const [what, they] = queries.length === 1 ? ['this query', 'It'] : [`${queries.length} queries`, 'They']
  confirmThen({
    title: `Delete ${what}?`,
    text: `${they} and the results will be gone. ${queries.some(isUnderWay) ? 'What still runs is cancelled first. ' : ''}What was frozen or delivered stays.`,
    action: 'Delete',
    run: async () => {
      await each(queries, ({ id }) => api.delete(`/v1/sirp/queries/${segment(id)}`))
      then()
      await client.invalidateQueries({ queryKey: ['queries'] })
      showDone(queries.length === 1 ? 'The query is deleted.' : `${queries.length} queries are deleted.`)
    },
  })
}

/** One after the other; one that is gone or done by now is as it should be. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) {
    try {
      await work(item)
    } catch (error) {
      if (!(error instanceof Problem && (error.status === 404 || error.status === 409))) throw error
    }
  }
}
