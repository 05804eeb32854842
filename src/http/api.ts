import type { Routes } from './route.ts'
import { cellarRoutes } from './routes/cellar.ts'
import { eventRoutes } from './routes/events.ts'
import { type GonogoRoutesOptions, gonogoRoutes } from './routes/gonogo.ts'
import { type KrullRoutesOptions, krullRoutes } from './routes/krull.ts'
import { languageRoutes } from './routes/language.ts'
import { licoriceRoutes } from './routes/licorice.ts'
import { oauthRoutes } from './routes/oauth.ts'
import { queryRoutes, type SirpRoutesOptions } from './routes/queries.ts'
import { resultRoutes } from './routes/results.ts'
import { type ScheduledRoutesOptions, scheduledRoutes } from './routes/scheduled.ts'
import { type ScreenshotRoutesOptions, screenshotRoutes } from './routes/screenshot.ts'
import { type SecretsRoutesOptions, secretsRoutes } from './routes/secrets.ts'
import { type ServicesRoutesOptions, servicesRoutes } from './routes/services.ts'
import { type SessionRoutesOptions, sessionRoutes } from './routes/session.ts'
import { type MentosRoutesOptions, storeRoutes } from './routes/stores.ts'
import { streamRoutes } from './routes/streams.ts'
import { templateRoutes } from './routes/templates.ts'
import { type WorkRoutesOptions, workRoutes } from './routes/work.ts'

/** What the handlers of all routes call. */
export interface ApiDependencies
  extends ServicesRoutesOptions,
    SecretsRoutesOptions,
    Pick<SessionRoutesOptions, 'demoAddress'>,
    SirpRoutesOptions,
    GonogoRoutesOptions,
    KrullRoutesOptions,
    ScreenshotRoutesOptions,
    MentosRoutesOptions,
    ScheduledRoutesOptions,
    WorkRoutesOptions {}

/** Every route of the interface that is built. */
export const apiRoutes = (dependencies: ApiDependencies): readonly Routes[] => [
  servicesRoutes(dependencies),
  secretsRoutes(dependencies),
  sessionRoutes(dependencies),
  oauthRoutes(dependencies),
  licoriceRoutes(dependencies),
  queryRoutes(dependencies),
  resultRoutes(dependencies),
  languageRoutes(dependencies),
  eventRoutes(dependencies),
  cellarRoutes(dependencies),
  templateRoutes(dependencies),
  gonogoRoutes(dependencies),
  krullRoutes(dependencies),
  screenshotRoutes(dependencies),
  scheduledRoutes(dependencies),
  storeRoutes(dependencies),
  streamRoutes(dependencies),
  workRoutes(dependencies),
]
