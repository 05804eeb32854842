import type { FastifyReply } from 'fastify'
import Type, { type Static } from 'typebox'
import { CommandFailure } from '../../commands/failure.ts'
import { ForageError } from '../../errors.ts'
import { NetworkError } from '../../network/errors.ts'
import { fields } from '../../services/fields.ts'
import type { SecretsService } from '../../services/secrets/service.ts'
import { ownOrigin, readCookie, setCookie } from '../cookies.ts'
import type { Routes } from '../route.ts'

export interface OauthRoutesOptions {
  readonly secrets: Pick<SecretsService, 'authorizations'>
}

const COOKIE = 'forage_oauth'
const CALLBACK = '/oauth/callback'
const Begin = fields({ credential: Type.String({ minLength: 1, maxLength: 1000 }) })
const text = Type.Optional(Type.String())
/** Providers add what they like. */
const Callback = Type.Object({ state: text, code: text, error: text }, { additionalProperties: true })

/**
 * A person's yes to an oauth credential with an authorization code. The session begins it; its own cookie is not sent when
 * the provider leads the browser back (it is strict), so a second one, for this alone, tells that it is the same browser.
 */
export const oauthRoutes =
  ({ secrets }: OauthRoutesOptions): Routes =>
  app => {
    app.route<{ Body: Static<typeof Begin> }>({
      method: 'POST',
      url: '/session/oauth',
      schema: { hide: true, body: Begin },
      handler: async (request, reply) => {
        if (request.caller?.kind !== 'user')
          throw new ForageError('forbidden', 'Only a person who is signed in can connect a credential.')
        const redirectUri = `${ownOrigin(request)}${CALLBACK}`
        const { url, binding } = await secrets.authorizations.begin(request.body.credential, redirectUri)
        setCookie(request, reply, COOKIE, binding, { sameSite: 'lax', maxAgeSeconds: 600 })
        return reply.code(201).send({ url })
      },
    })

    app.route<{ Querystring: Static<typeof Callback> }>({
      method: 'GET',
      url: CALLBACK,
      schema: { hide: true, querystring: Callback },
      config: { open: true },
      handler: async (request, reply) => {
        const { state = '', code } = request.query
        const binding = readCookie(request, COOKIE) ?? ''
        setCookie(request, reply, COOKIE, '', { sameSite: 'lax' })
        if (code === undefined) {
          secrets.authorizations.abandon(state, binding)
          return page(reply, 'Not connected', 'The provider gave no permission. Nothing was changed.')
        }
        try {
          await secrets.authorizations.finish(state, binding, code)
        } catch (error) {
          if (!(error instanceof CommandFailure || error instanceof NetworkError)) throw error
          return page(reply, 'Not connected', `The provider gave no token (${error.code}).`)
        }
        return page(reply, 'Connected', 'The credential has its token. You can close this page.')
      },
    })
  }

/** For a person, so not a problem in JSON. Nothing from outside is put into it. */
const page = (reply: FastifyReply, title: string, message: string): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title} · Forage</title><h1>${title}</h1><p>${message}</p><p><a href="/credentials">Back to Forage</a></p></html>`,
    )
