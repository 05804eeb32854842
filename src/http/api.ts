import type { Routes } from './route.ts'
import { eventRoutes } from './routes/events.ts'
import { type GonogoRoutesOptions, gonogoRoutes } from './routes/gonogo.ts'
import { languageRoutes } from './routes/language.ts'
import { queryRoutes, type SirpRoutesOptions } from './routes/queries.ts'
import { resultRoutes } from './routes/results.ts'
import { type SecretsRoutesOptions, secretsRoutes } from './routes/secrets.ts'
import { type ServicesRoutesOptions, servicesRoutes } from './routes/services.ts'

import { type WorkRoutesOptions, workRoutes } from './routes/work.ts'

/** What the handlers of all routes call. */
export interface ApiDependencies
  extends ServicesRoutesOptions,
    SecretsRoutesOptions,
    SirpRoutesOptions,
    GonogoRoutesOptions,
    WorkRoutesOptions {}

/** Every route of the interface that is built. */
export const apiRoutes = (dependencies: ApiDependencies): readonly Routes[] => [
  servicesRoutes(dependencies),
  secretsRoutes(dependencies),
  queryRoutes(dependencies),
  resultRoutes(dependencies),
  languageRoutes(dependencies),
  eventRoutes(dependencies),
  gonogoRoutes(dependencies),
  workRoutes(dependencies),
]
