import Type from 'typebox'
import { ForageError } from '../../errors.ts'
import { fields, Uuid } from '../../services/fields.ts'
import { ScreenshotHash, ScreenshotList, screenshotMediaTypes } from '../../services/screenshot/records.ts'
import type { ScreenshotService } from '../../services/screenshot/service.ts'
import { QueryScreenshots } from '../../services/sirp/records.ts'
import { PageQuery, pageOf } from '../lists.ts'
import { type Routes, route } from '../route.ts'
import type { SirpRoutesOptions } from './queries.ts'

export interface ScreenshotRoutesOptions extends SirpRoutesOptions {
  readonly screenshot: Pick<ScreenshotService, 'screenshots'>
}

export const screenshotRoutes =
  ({ screenshot, sirp }: ScreenshotRoutesOptions): Routes =>
  app => {
    route(app, 'listQueryScreenshots', {
      description: 'Those that its stages took, in the order in which they were taken.',
      schema: { params: fields({ id: Uuid }), response: { 200: QueryScreenshots } },
      handler: async ({ params }) => {
        const { id } = await sirp.processor.queries.record(params.id)
        return { items: await screenshot.screenshots.ofQuery(id) }
      },
    })

    route(app, 'listScreenshots', {
      description: 'The latest first, each with the queries that took it.',
      schema: { querystring: PageQuery, response: { 200: ScreenshotList } },
      handler: async request => pageOf(await screenshot.screenshots.list(request.query), request.query),
    })

    route(app, 'getScreenshot', {
      description: 'The image itself. It never changes under its hash.',
      schema: {
        params: fields({ hash: ScreenshotHash }),
        response: { 200: Type.Unknown({ description: 'An image: image/jpeg, image/png or image/webp' }) },
      },
      handler: async (request, reply) => {
        const { hash } = request.params
        const found = await screenshot.screenshots.read(hash.toLowerCase())
        if (!found)
          throw new ForageError(
            'not_found',
            `There is no screenshot with the hash ${hash}, or it has expired.`,
          )
        const etag = `"${hash.toLowerCase()}"`
        reply.headers({ etag, 'cache-control': 'private, max-age=31536000, immutable' })
        if (request.headers['if-none-match'] === etag) {
          found.content.destroy()
          return reply.code(304).send()
        }
        return reply
          .header('content-type', screenshotMediaTypes[found.type])
          .header('content-length', found.bytes)
          .send(found.content)
      },
    })
  }
