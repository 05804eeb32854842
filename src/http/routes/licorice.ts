import Type from 'typebox'
import { ForageError } from '../../errors.ts'
import { fields } from '../../services/fields.ts'
import { LicenseList, LicenseRecord } from '../../services/licorice/records.ts'
import type { LicoriceService } from '../../services/licorice/service.ts'
import { PageQuery, pageOf } from '../lists.ts'
import { type Routes, route } from '../route.ts'

interface LicoriceRoutesOptions {
  readonly licorice: Pick<LicoriceService, 'add' | 'list'>
}

const LONGEST = 64 * 1024
const where = '/v1/licorice/licenses'

/** Licenses. Their status by service is with the services (`services.ts`). */
export const licoriceRoutes =
  ({ licorice }: LicoriceRoutesOptions): Routes =>
  app => {
    route(app, 'listLicenses', {
      description: 'Those that hold; the built-in community license when none does.',
      schema: { querystring: PageQuery, response: { 200: LicenseList } },
      handler: async request => {
        const { offset, limit } = request.query
        const all = licorice.list()
        return pageOf({ items: all.slice(offset, offset + limit), total: all.length }, request.query)
      },
    })

    route(app, 'addLicense', {
      schema: {
        body: fields({
          licenseKey: fields({
            value: Type.String({ minLength: 1, maxLength: LONGEST, description: 'The text of the license' }),
            fieldname: Type.Optional(Type.String()),
            encoding: Type.Optional(Type.String()),
            filename: Type.Optional(Type.String()),
            mimetype: Type.Optional(Type.String()),
          }),
        }),
        response: { 201: LicenseRecord },
      },
      handler: async (request, reply) => {
        const added = await licorice.add(request.body.licenseKey.value)
        return reply.code(201).header('location', where).send(added)
      },
    })

    route(app, 'uploadLicense', {
      schema: {
        form: fields({ licenseKey: Type.Unsafe<string>({ type: 'string', format: 'binary' }) }),
        response: { 201: LicenseRecord },
      },
      handler: async (request, reply) => {
        const file = await request.file({ limits: { fileSize: LONGEST } })
        if (file?.fieldname !== 'licenseKey') throw noFile()
        const text = (await file.toBuffer()).toString('utf8')
        return reply
          .code(201)
          .header('location', where)
          .send(await licorice.add(text))
      },
    })
  }

const noFile = () =>
  new ForageError('invalid_request', 'Not valid in the body: $.licenseKey is required, as a file', {
    errors: [{ path: '$.licenseKey', message: 'is required, as a file', in: 'body' }],
  })
