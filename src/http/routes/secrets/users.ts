import Type from 'typebox'
import { ForageError } from '../../../errors.ts'
import { fields } from '../../../services/fields.ts'
import { invalidBody } from '../../../services/secrets/mask.ts'
import { UserList, UserRecord, Validity } from '../../../services/secrets/records.ts'
import type { Users } from '../../../services/secrets/users.ts'
import { requireMatch, sendRecord } from '../../etags.ts'
import { PageQuery, pageOf } from '../../lists.ts'
import { GONE, type Routes, route } from '../../route.ts'

export interface UserRoutesOptions {
  readonly users: Pick<Users, 'list' | 'create' | 'update' | 'verify' | 'delete'>
}

const username = Type.String({ minLength: 1, maxLength: 1000 })
const password = Type.String({ minLength: 1, maxLength: 1000 })
export const Login = fields({ username, password })

export const userRoutes =
  (secrets: UserRoutesOptions): Routes =>
  app => {
    const byName = fields({ username })

    route(app, 'listUsers', {
      schema: { querystring: PageQuery, response: { 200: UserList } },
      handler: async request => pageOf(await secrets.users.list(request.query), request.query),
    })

    route(app, 'createUser', {
      schema: { body: fields({ credential: Login }), response: { 201: UserRecord } },
      handler: async (request, reply) => {
        const made = await secrets.users.create(request.body.credential)
        reply.code(201).header('location', `/v1/secrets/users/${encodeURIComponent(made.username)}`)
        return sendRecord(request, reply, made)
      },
    })

    route(app, 'verifyUser', {
      description: 'An unknown user and a wrong password get the same answer, after the same time.',
      schema: { body: fields({ credential: Login }), response: { 200: Validity } },
      handler: async request => ({ valid: await secrets.users.verify(request.body.credential) }),
    })

    route(app, 'updateUser', {
      description: 'Sets another password, and ends the sessions of the user.',
      schema: {
        params: byName,
        body: fields({ credential: fields({ username, password, oldpassword: password }) }),
        response: { 200: UserRecord },
      },
      handler: async (request, reply) => {
        const { credential } = request.body
        if (credential.username !== request.params.username)
          throw invalidBody([
            { path: '$.credential.username', message: 'must be the name in the path: users are not renamed' },
          ])
        const updated = await secrets.users.update(credential, credential.oldpassword, present =>
          requireMatch(request, present),
        )
        return sendRecord(request, reply, updated ?? missing(credential.username))
      },
    })

    route(app, 'deleteUser', {
      schema: { params: byName, response: { 204: GONE } },
      handler: async (request, reply) => {
        const { username } = request.params
        if (!(await secrets.users.delete(username, present => requireMatch(request, present))))
          missing(username)
        return reply.code(204).send()
      },
    })
  }

function missing(username: string): never {
  throw new ForageError('not_found', `There is no user named ${username}.`)
}
