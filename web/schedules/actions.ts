import type { QueryClient } from '@tanstack/react-query'
import { api, segment } from '../api/client.ts'
import type { ScheduledQuery, ScheduledRun } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { showDone } from '../components/notices.ts'

const pathOf = ({ id }: ScheduledQuery): string => `/v1/sirp/scheduled/${segment(id)}`

export const refreshSchedules = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['schedules'] })

export async function runNow(schedule: ScheduledQuery, client: QueryClient): Promise<void> {
  await api.post<ScheduledRun>(`${pathOf(schedule)}/run`)
  showDone('It runs. The last block of its runs shows what comes of it.')
  await refreshSchedules(client)
}

export async function setEnabled(
  schedule: ScheduledQuery,
  enabled: boolean,
  client: QueryClient,
): Promise<void> {
  await api.post(`${pathOf(schedule)}/${enabled ? 'enable' : 'disable'}`)
  await refreshSchedules(client)
}

export function deleteSchedule(schedule: ScheduledQuery, client: QueryClient): void {
  confirmThen({
    title: 'Delete this schedule?',
    text: 'It will not run again. A run that is under way goes on, and the queries that it ran stay.',
    action: 'Delete',
    run: async () => {
      await api.delete(pathOf(schedule))
      await refreshSchedules(client)
      showDone('The schedule is deleted.')
    },
  })
}

/** Whether its failures in a row switched it off. */
export const wasDisabled = ({ enabled, failures, disableAfter }: ScheduledQuery): boolean =>
  !enabled && disableAfter !== null && disableAfter > 0 && failures >= disableAfter
