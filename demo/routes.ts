import { apiRoutes } from './api.ts'
import { chatRoutes } from './chat.ts'
import { faultRoutes } from './faults.ts'
import { feedRoutes } from './feed.ts'
import { formatRoutes } from './formats.ts'
import { graphqlRoutes } from './graphql.ts'
import { homeRoutes } from './home.ts'
import { loginRoutes } from './login.ts'
import { pageParts, refusalReply } from './page.ts'
import { Router } from './router.ts'
import { scriptRoutes } from './script.ts'
import { serviceRoutes } from './services.ts'
import { shopRoutes } from './shop.ts'
import { soapRoutes } from './soap.ts'
import { State } from './state.ts'
import { tokenRoutes } from './tokens.ts'

/** Every address of the site, in the order in which the first page and the documentation list them. */
export function demoRouter(): Router {
  const router = new Router(refusalReply)
  const state = new State()
  homeRoutes(router, state)
  shopRoutes(router, state)
  scriptRoutes(router)
  loginRoutes(router, state)
  tokenRoutes(router)
  apiRoutes(router, state)
  serviceRoutes(router, state)
  graphqlRoutes(router, state)
  soapRoutes(router, state)
  formatRoutes(router, state)
  feedRoutes(router, state)
  chatRoutes(router)
  faultRoutes(router, state)
  pageParts(router)
  return router
}
