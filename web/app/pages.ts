import {
  IconApi,
  IconBook2,
  IconCalendarTime,
  IconCamera,
  IconDatabaseExport,
  IconFlag,
  IconHistory,
  IconKey,
  IconLock,
  IconMessageChatbot,
  IconPassword,
  IconServer,
  IconShieldHalf,
  IconStack2,
  IconTable,
  IconTemplate,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType, LazyExoticComponent } from 'react'
import { lazily } from './lazily.ts'

type Icon = ComponentType<{ size?: number; stroke?: number }>

export interface PageEntry {
  readonly path: string
  readonly label: string
  readonly icon: Icon
  /** Loaded when it is first opened. */
  readonly page: LazyExoticComponent<ComponentType>
}

const entry = (
  path: string,
  label: string,
  icon: Icon,
  load: () => Promise<{ default: ComponentType }>,
): PageEntry => ({ path, label, icon, page: lazily(load) })

/** Everything that the navigation shows, in its order. */
export const groups: readonly { readonly label: string; readonly pages: readonly PageEntry[] }[] = [
  {
    label: 'Work',
    pages: [
      entry('/', 'Query', IconTable, () => import('../query/query-page.tsx')),
      entry('/queries', 'Queries', IconHistory, () => import('../pages/queries.tsx')),
      entry('/schedules', 'Schedules', IconCalendarTime, () => import('../pages/schedules.tsx')),
      entry('/templates', 'Templates', IconTemplate, () => import('../pages/templates.tsx')),
      entry('/cellar', 'Cellar', IconStack2, () => import('../pages/cellar.tsx')),
      entry('/screenshots', 'Screenshots', IconCamera, () => import('../pages/screenshots.tsx')),
    ],
  },
  {
    label: 'Connections',
    pages: [
      entry('/stores', 'Stores', IconDatabaseExport, () => import('../pages/stores.tsx')),
      entry('/credentials', 'Credentials', IconLock, () => import('../pages/credentials.tsx')),
      entry('/secrets', 'Secrets', IconPassword, () => import('../pages/secrets.tsx')),
      entry('/prompts', 'Prompts', IconMessageChatbot, () => import('../pages/prompts.tsx')),
      entry('/checkpoints', 'Checkpoints', IconFlag, () => import('../pages/checkpoints.tsx')),
      entry('/policies', 'Domain policies', IconShieldHalf, () => import('../pages/policies.tsx')),
    ],
  },
  {
    label: 'Administration',
    pages: [
      entry('/keys', 'API keys', IconKey, () => import('../pages/keys.tsx')),
      entry('/users', 'Users', IconUsers, () => import('../pages/users.tsx')),
      entry('/services', 'Services', IconServer, () => import('../pages/services.tsx')),
    ],
  },
  {
    label: 'Help',
    pages: [entry('/commands', 'Commands', IconBook2, () => import('../pages/commands.tsx'))],
  },
]

/** Pages of the server that are not part of the application. */
export const references = [{ href: '/docs', label: 'API reference', icon: IconApi }] as const
