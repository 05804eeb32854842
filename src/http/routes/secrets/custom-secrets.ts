import Type from 'typebox'
import { ForageError } from '../../../errors.ts'
import { fields } from '../../../services/fields.ts'
import type { CustomSecrets } from '../../../services/secrets/custom-secrets.ts'
import { SecretList, SecretRecord, secretTypes } from '../../../services/secrets/records.ts'
import type { App } from '../../context.ts'
import { requireMatch, sendRecord } from '../../etags.ts'
import { PageQuery, pageOf } from '../../lists.ts'
import { GONE, type Routes, route } from '../../route.ts'

export interface CustomSecretRoutesOptions {
  readonly custom: Pick<CustomSecrets, 'list' | 'create' | 'delete'>
}

const name = Type.String({ minLength: 1, maxLength: 250 })
const GivenSecret = fields({
  name,
  type: Type.Optional(Type.Enum([...secretTypes], { default: 'custom' })),
  providerType: Type.Optional(Type.String()),
  secret: Type.Optional(Type.String({ minLength: 1, maxLength: 100_000 })),
  metadata: Type.Optional(
    Type.Object({ type: Type.Optional(Type.String()) }, { additionalProperties: true }),
  ),
})

/** Secrets by themselves: made and deleted, never read. */
export const customSecretRoutes =
  (secrets: CustomSecretRoutesOptions): Routes =>
  app => {
    createRoute(app, 'createSecret', secrets)
    createRoute(app, 'createVaultSecret', secrets)

    route(app, 'listSecrets', {
      schema: { querystring: PageQuery, response: { 200: SecretList } },
      handler: async request => pageOf(await secrets.custom.list(request.query), request.query),
    })

    route(app, 'deleteSecret', {
      description: 'Names are unique for each type: without `type` it is the custom secret of this name.',
      schema: {
        params: fields({ name }),
        querystring: fields({ type: Type.Enum([...secretTypes], { default: 'custom' }) }),
        response: { 204: GONE },
      },
      handler: async (request, reply) => {
        const { name } = request.params
        const { type } = request.query
        const deleted = await secrets.custom.delete(type, name, present => requireMatch(request, present))
        if (!deleted) throw new ForageError('not_found', `There is no secret of type ${type} named ${name}.`)
        return reply.code(204).send()
      },
    })
  }

function createRoute(
  app: App,
  id: 'createSecret' | 'createVaultSecret',
  secrets: CustomSecretRoutesOptions,
): void {
  route(app, id, {
    description: 'Queries read a custom one as `$SECRETS.name$`. Its value is answered to nobody.',
    schema: { body: GivenSecret, response: { 201: SecretRecord } },
    handler: async (request, reply) => {
      const made = await secrets.custom.create(request.body)
      const type = made.type === 'custom' ? '' : `?type=${made.type}`
      reply.code(201).header('location', `/v1/secrets/secrets/${encodeURIComponent(made.name)}${type}`)
      return sendRecord(request, reply, made)
    },
  })
}
