import type { SecretsService } from '../../services/secrets/service.ts'
import type { Routes } from '../route.ts'
import { checkpointRoutes } from './secrets/checkpoints.ts'
import { credentialRoutes } from './secrets/credentials.ts'
import { customSecretRoutes } from './secrets/custom-secrets.ts'
import { type KeyRoutesOptions, keyRoutes } from './secrets/keys.ts'
import { promptRoutes } from './secrets/prompts.ts'
import { userRoutes } from './secrets/users.ts'

export interface SecretsRoutesOptions extends KeyRoutesOptions {
  readonly secrets: SecretsService
}

/** Everything of the service secrets but the stores, which are with their own. */
export const secretsRoutes =
  ({ keys, secrets }: SecretsRoutesOptions): Routes =>
  app => {
    keyRoutes({ keys })(app)
    checkpointRoutes(secrets)(app)
    credentialRoutes(secrets)(app)
    promptRoutes(secrets)(app)
    userRoutes(secrets)(app)
    customSecretRoutes(secrets)(app)
  }
