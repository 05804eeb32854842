import type { QueryClient } from '@tanstack/react-query'
import { api, segment } from '../api/client.ts'
import type { QueryTemplate } from '../api/types.ts'
import { confirmThen } from '../components/confirm.ts'
import { showDone } from '../components/notices.ts'

export const TEMPLATES = '/v1/sirp/templates'

export const refreshTemplates = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['templates'] })

export function deleteTemplate(template: QueryTemplate, client: QueryClient): void {
  confirmThen({
    title: `Delete ${template.name}?`,
    text: 'The template will be gone. Queries that it was run as stay; those that run it by its name fail from now on.',
    action: 'Delete',
    run: async () => {
      await api.delete(`${TEMPLATES}/${segment(template.id)}`)
      await refreshTemplates(client)
      showDone('The template is deleted.')
    },
  })
}
