import Type from 'typebox'
import { type CredentialTypeName, credentialTypeNames } from '../../../credentials/credential-type.ts'
import { oauthProviders } from '../../../credentials/oauth-providers.ts'
import { ForageError } from '../../../errors.ts'
import { FreeObject, fields } from '../../../services/fields.ts'
import {
  credentialSchema,
  describeCredential,
  describeCredentials,
} from '../../../services/secrets/credential-schemas.ts'
import type { Credentials, GivenCredential } from '../../../services/secrets/credentials.ts'
import {
  CredentialList,
  CredentialRecord,
  OauthMappingList,
  OauthTokenList,
  TypeSchema,
  TypeSchemas,
} from '../../../services/secrets/records.ts'
import type { Tokens } from '../../../services/secrets/tokens.ts'
import { requireMatch, sendRecord } from '../../etags.ts'
import { PageQuery, pageOf } from '../../lists.ts'
import { GONE, type Routes, route } from '../../route.ts'
import { validatorCompiler } from '../../validation.ts'

export interface CredentialRoutesOptions {
  readonly credentials: Pick<Credentials, 'list' | 'get' | 'create' | 'update' | 'delete'>
  readonly tokens: Pick<Tokens, 'list'>
}

/** What all types have in common; the rest is checked by the schema of the type. */
const Given = fields({
  type: Type.Enum([...credentialTypeNames]),
  config: Type.Intersect([FreeObject], {
    description:
      '`{ credential: { name, hosts? }, credentials: { <type>: { … } } }`; `GET /v1/secrets/credential-schemas` has the fields of each type',
  }),
})

export const credentialRoutes =
  (secrets: CredentialRoutesOptions): Routes =>
  app => {
    route(app, 'listCredentials', {
      description: 'Secret fields hold a mask.',
      schema: { querystring: PageQuery, response: { 200: CredentialList } },
      handler: async request =>
        pageOf(shownPage(await secrets.credentials.list(request.query)), request.query),
    })

    route(app, 'createCredential', {
      schema: { body: Given, response: { 201: CredentialRecord } },
      handler: async (request, reply) => {
        const made = await secrets.credentials.create(checked(request.body))
        reply.code(201).header('location', `/v1/secrets/credentials/${encodeURIComponent(made.name)}`)
        return sendRecord(request, reply, shown(made))
      },
    })

    route(app, 'getCredential', {
      schema: { response: { 200: CredentialRecord } },
      handler: async (request, reply) => {
        const { name } = request.params as { name: string }
        return sendRecord(request, reply, shown((await secrets.credentials.get(name)) ?? missing(name)))
      },
    })

    route(app, 'updateCredential', {
      description: 'A mask that is sent back keeps the value that it stands for.',
      schema: { body: Given, response: { 200: CredentialRecord } },
      handler: async (request, reply) => {
        const { name } = request.params as { name: string }
        const updated = await secrets.credentials.update(name, checked(request.body), present =>
          requireMatch(request, shown(present)),
        )
        return sendRecord(request, reply, shown(updated ?? missing(name)))
      },
    })

    route(app, 'deleteCredential', {
      schema: { response: { 204: GONE } },
      handler: async (request, reply) => {
        const { name } = request.params as { name: string }
        if (!(await secrets.credentials.delete(name, present => requireMatch(request, shown(present)))))
          missing(name)
        return reply.code(204).send()
      },
    })

    route(app, 'listOauthMappings', {
      description:
        'Well-known providers, for `provider` of an oauth credential. Others work by their addresses.',
      schema: { querystring: PageQuery, response: { 200: OauthMappingList } },
      handler: async request => {
        const { offset, limit } = request.query
        const items = oauthProviders.slice(offset, offset + limit).map(({ scopes, grantTypes, ...rest }) => ({
          ...rest,
          scopes: [...scopes],
          grantTypes: [...grantTypes],
        }))
        return pageOf({ items, total: oauthProviders.length }, request.query)
      },
    })

    route(app, 'listOauthTokens', {
      description: 'The credentials that have a token, and how long it holds. Never the token.',
      schema: { querystring: PageQuery, response: { 200: OauthTokenList } },
      handler: async request => pageOf(await secrets.tokens.list(request.query), request.query),
    })

    route(app, 'listCredentialSchemas', {
      schema: { response: { 200: TypeSchemas } },
      handler: async () => ({ items: describeCredentials() }),
    })

    route(app, 'getCredentialSchema', {
      schema: { response: { 200: TypeSchema } },
      handler: async request => {
        const { type } = request.params as { type: string }
        if (isTypeName(type)) return describeCredential(type)
        throw new ForageError(
          'not_found',
          `There is no credential type ${type}. There are ${credentialTypeNames.join(', ')}.`,
        )
      },
    })
  }

const isTypeName = (text: string): text is CredentialTypeName =>
  (credentialTypeNames as readonly string[]).includes(text)

/** The body, checked by the schema of its type. */
function checked(body: { readonly type: CredentialTypeName }): GivenCredential {
  const result = validator(body.type)(body)
  if (typeof result === 'object' && 'error' in result && result.error) throw result.error
  // The schema of the type says just this.
  return body as unknown as GivenCredential
}

const validators = new Map<CredentialTypeName, ReturnType<typeof validatorCompiler>>()

function validator(type: CredentialTypeName): ReturnType<typeof validatorCompiler> {
  const known =
    validators.get(type) ??
    validatorCompiler({ schema: credentialSchema(type), httpPart: 'body', method: '', url: '' })
  validators.set(type, known)
  return known
}

type Shown = Awaited<ReturnType<Credentials['create']>>

/** The record is its own answer: secrets are masked where it is kept. */
const shown = ({ config, ...rest }: Shown) => ({ ...rest, config: { ...config } })

const shownPage = ({ items, total }: { items: Shown[]; total: number }) => ({
  items: items.map(shown),
  total,
})

function missing(name: string): never {
  throw new ForageError('not_found', `There is no credential named ${name}.`)
}
