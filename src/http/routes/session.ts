import Type, { type Static } from 'typebox'
import { ForageError } from '../../errors.ts'
import { fields } from '../../services/fields.ts'
import { invalidBody } from '../../services/secrets/mask.ts'
import type { SecretsService } from '../../services/secrets/service.ts'
import type { Session } from '../../services/secrets/sessions.ts'
import type { Routes } from '../route.ts'
import { requireOwnOrigin, sessionToken, setSession } from '../sessions.ts'
import { Login } from './secrets/users.ts'

export interface SessionRoutesOptions {
  readonly secrets: Pick<SecretsService, 'sessions' | 'users' | 'signInLinks'>
  /** Where the demo site listens, if it does: the examples of the web application ask it. */
  readonly demoAddress?: () => string | undefined
}

const text = Type.String({ minLength: 1, maxLength: 1000 })
const SignIn = fields({
  username: Type.Optional(text),
  password: Type.Optional(text),
  token: Type.Optional(text),
})

/** Signing in and out, for the web application. Not part of the interface, and so not in its document. */
export const sessionRoutes =
  ({ secrets, demoAddress }: SessionRoutesOptions): Routes =>
  app => {
    const shown = async (session: Session) => ({
      ...session,
      hasUsers: await secrets.signInLinks.hasUsers(),
      demoAddress: demoAddress?.() ?? null,
    })

    app.route<{ Body: Static<typeof SignIn> }>({
      method: 'POST',
      url: '/session',
      schema: { hide: true, body: SignIn },
      config: { open: true },
      handler: async (request, reply) => {
        // A foreign page must not sign people in as somebody else.
        if (request.headers.origin !== undefined) requireOwnOrigin(request)
        const username = await signIn(request.body)
        const { token, session } = await secrets.sessions.create(username)
        setSession(request, reply, token)
        return reply.code(201).send(await shown(session))
      },
    })

    app.route({
      method: 'GET',
      url: '/session',
      schema: { hide: true },
      handler: async request => {
        const token = sessionToken(request)
        const session = token === undefined ? undefined : await secrets.sessions.find(token)
        return shown(session ?? noSession())
      },
    })

    app.route({
      method: 'DELETE',
      url: '/session',
      schema: { hide: true },
      handler: async (request, reply) => {
        const token = sessionToken(request)
        if (token === undefined || !(await secrets.sessions.end(token))) noSession()
        setSession(request, reply, '')
        return reply.code(204).send()
      },
    })

    app.route<{ Body: Static<typeof Login> }>({
      method: 'POST',
      url: '/session/first-user',
      schema: { hide: true, body: Login },
      handler: async (request, reply) => {
        const token = sessionToken(request)
        const session = token === undefined ? undefined : await secrets.sessions.find(token)
        if (token === undefined || session === undefined) return noSession()
        const { username } = await secrets.users.createFirst(request.body)
        // Another token: whoever saw the link's session has no part in the user's.
        await secrets.sessions.end(token)
        const created = await secrets.sessions.create(username)
        setSession(request, reply, created.token)
        return reply.code(201).send(await shown(created.session))
      },
    })

    async function signIn({ username, password, token }: Static<typeof SignIn>): Promise<string | null> {
      if (token !== undefined && username === undefined && password === undefined) {
        if (await secrets.signInLinks.redeem(token)) return null
        throw new ForageError('unauthorized', 'The link was used already, or its 15 minutes are over.')
      }
      if (token !== undefined || username === undefined || password === undefined)
        throw invalidBody([{ path: '$', message: 'must have username and password, or the token of a link' }])
      if (await secrets.users.verify({ username, password })) return username
      throw new ForageError('unauthorized', 'The user name or the password is not right.')
    }
  }

function noSession(): never {
  throw new ForageError('not_found', 'There is no session: this request was made with an API key.')
}
