import { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ForageError } from '../../errors.ts'
import type { Received, Uploads } from '../../services/cellar/uploads.ts'
import { FILE_NAME, FileName, FreeObject, fields } from '../../services/fields.ts'
import {
  CellarFile,
  CellarFileList,
  CellarManifest,
  CellarManifestList,
} from '../../services/sirp/cellar-records.ts'
import { ResultsPage } from '../../services/sirp/records.ts'
import { manifestTypes } from '../../services/store-types.ts'
import { sendRecord } from '../etags.ts'
import { PageQuery, pageOf } from '../lists.ts'
import { GONE, type Routes, route } from '../route.ts'
import { sendJsonText } from '../streams.ts'
import type { SirpRoutesOptions } from './queries.ts'
import { clientLeaves, resultParameters, sortOf, withResults } from './results.ts'

const byName = fields({ name: FileName })
const where = (kind: 'files' | 'manifests', name: string): string =>
  `/v1/sirp/cellar/${kind}/${encodeURIComponent(name)}`

const UploadBody = fields({
  name: Type.Optional(fields({ value: FileName })),
  content: Type.Optional(Type.String({ description: 'JSON, NDJSON or CSV; an empty file without it' })),
})

const ScreenshotReference = Type.Array(Type.Union([Type.String(), Type.Integer({ minimum: 0 })]), {
  minItems: 1,
  maxItems: 2,
  description: '`[hash]` or `[hash, stage]`',
})
const ManifestBody = fields({
  name: FileName,
  store: FileName,
  type: Type.Enum([...manifestTypes]),
  screenshots: Type.Optional(Type.Array(ScreenshotReference)),
  attributesContext: Type.Optional(FreeObject),
})

/** Tables and manifests that outlive queries. */
export const cellarRoutes =
  ({ sirp }: SirpRoutesOptions): Routes =>
  app => {
    route(app, 'listCellarFiles', {
      schema: { querystring: PageQuery, response: { 200: CellarFileList } },
      handler: async request => pageOf(await sirp.processor.cellar.list(request.query), request.query),
    })

    route(app, 'uploadCellarFile', {
      description:
        'As `multipart/form-data` with the field `name` and the file, or as JSON. What it is (JSON, NDJSON, CSV, Parquet) is told by what is in it. It is stored whole or not at all.',
      schema: {
        querystring: fields({
          replace: Type.Boolean({ default: false, description: 'Put it in the place of one of that name' }),
        }),
        body: UploadBody,
        form: fields({ name: FileName, file: Type.Unsafe<string>({ type: 'string', format: 'binary' }) }),
        response: { 201: CellarFile },
      },
      handler: async (request, reply) => {
        const { uploads } = sirp.processor
        const { name, received } = request.isMultipart()
          ? await receiveForm(request, uploads)
          : await receiveJson(request.body, uploads)
        const made = await uploads.store(name, received, request.query.replace, clientLeaves(request))
        return reply.code(201).header('location', where('files', name)).send(made)
      },
    })

    route(app, 'getCellarFile', {
      description: 'Its rows by page, as results are.',
      schema: {
        params: byName,
        querystring: fields({
          ...resultParameters,
          mode: Type.Enum(['nested', 'flat'], { default: 'nested' }),
        }),
        response: { 200: ResultsPage },
      },
      handler: async (request, reply) => {
        const { offset, limit, mode } = request.query
        const sort = sortOf(request.query)
        const page = await sirp.processor.cellar.page(request.params.name, {
          offset,
          limit,
          flat: mode === 'flat',
          signal: clientLeaves(request),
          ...(sort && { sort }),
        })
        const rest = { columns: page.columns, total: page.total, offset, limit }
        return sendJsonText(reply, withResults(page.json, rest))
      },
    })

    route(app, 'exportCellarFile', {
      schema: {
        params: fields({ name: FileName, mode: Type.Enum(['csv', 'ndjson']) }),
        querystring: fields({
          safe: Type.Boolean({
            default: false,
            description: 'CSV: cells that a spreadsheet would compute are made harmless',
          }),
        }),
        response: { 200: Type.String({ description: 'The whole file' }) },
      },
      handler: async (request, reply) => {
        const { name, mode } = request.params
        const { safe } = request.query
        const options = { safe, signal: clientLeaves(request) }
        const { stream } = await sirp.processor.cellar.export(name, mode, options)
        return reply
          .header(
            'content-type',
            mode === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
          )
          .header('content-disposition', `attachment; filename="${fileName(name, mode)}"`)
          .send(stream)
      },
    })

    route(app, 'deleteCellarFile', {
      schema: { params: byName, response: { 204: GONE } },
      handler: async (request, reply) => {
        await sirp.processor.cellar.delete(request.params.name)
        await sirp.processor.sweep()
        return reply.code(204).send()
      },
    })

    route(app, 'listCellarManifests', {
      schema: { querystring: PageQuery, response: { 200: CellarManifestList } },
      handler: async request => pageOf(await sirp.processor.manifests.list(request.query), request.query),
    })

    route(app, 'addCellarManifest', {
      description: 'The screenshots that it names stay as long as it does.',
      schema: { body: ManifestBody, response: { 201: CellarManifest } },
      handler: async (request, reply) => {
        const { screenshots = [] } = request.body
        requireHashes(screenshots)
        const made = await sirp.processor.manifests.add(request.body)
        reply.code(201).header('location', where('manifests', made.name))
        return sendRecord(request, reply, made)
      },
    })

    route(app, 'getCellarManifest', {
      schema: { params: byName, response: { 200: CellarManifest } },
      handler: async (request, reply) =>
        sendRecord(request, reply, await sirp.processor.manifests.get(request.params.name)),
    })

    route(app, 'deleteCellarManifest', {
      schema: { params: byName, response: { 204: GONE } },
      handler: async (request, reply) => {
        await sirp.processor.manifests.delete(request.params.name)
        return reply.code(204).send()
      },
    })

    route(app, 'touchCellarManifest', {
      description: 'A delivery happened now.',
      schema: { params: byName, response: { 200: CellarManifest } },
      handler: async (request, reply) =>
        sendRecord(request, reply, await sirp.processor.manifests.touch(request.params.name)),
    })

    route(app, 'touchCellarManifestErrors', {
      description: 'An error happened now.',
      schema: {
        params: byName,
        body: fields({ message: Type.Optional(Type.String({ maxLength: 10_000 })) }),
        response: { 200: CellarManifest },
      },
      handler: async (request, reply) => {
        const { message = null } = request.body
        return sendRecord(
          request,
          reply,
          await sirp.processor.manifests.touchErrors(request.params.name, message),
        )
      },
    })
  }

interface Upload {
  readonly name: string
  readonly received: Received
}

async function receiveJson(
  { name, content = '' }: { name?: { value: string }; content?: string },
  uploads: Uploads,
): Promise<Upload> {
  if (name === undefined) throw invalid('$.name', 'is required')
  const received = await uploads.receive(Readable.from([Buffer.from(content)]), {
    filename: undefined,
    mimetype: undefined,
  })
  return { name: name.value, received }
}

/** The size of the file is limited where forms are taken in. */
const LIMITS = { files: 1, fields: 10, fieldSize: 4000 }
const NAME = new RegExp(FILE_NAME)

/** The name may come before the file or after it, so the file goes to the disk first. */
async function receiveForm(request: FastifyRequest, uploads: Uploads): Promise<Upload> {
  let name: string | undefined
  let received: Received | undefined
  try {
    for await (const part of request.parts({ limits: LIMITS })) {
      if (part.type === 'file') received = await receiveFile(part, received, uploads)
      else if (part.fieldname === 'name') name = checkedName(part.value)
    }
    if (name === undefined) throw invalid('$.name', 'is required')
    if (!received) throw invalid('$.file', 'is required, as a file')
    return { name, received }
  } catch (error) {
    if (received) await uploads.discard(received)
    throw brokenOff(error)
  }
}

async function receiveFile(
  { file, filename, mimetype }: MultipartFile,
  before: Received | undefined,
  uploads: Uploads,
): Promise<Received> {
  if (before) await uploads.discard(before)
  return uploads.receive(file, { filename, mimetype })
}

function checkedName(value: unknown): string {
  if (typeof value === 'string' && value.length >= 1 && value.length <= 1000 && NAME.test(value)) return value
  throw invalid('$.name', `must have 1 to 1000 characters and match ${FILE_NAME}`)
}

/** What the parser of forms says when the connection ends in the middle of one. */
function brokenOff(error: unknown): unknown {
  const isBroken =
    error instanceof Error && /unexpected end|premature close|malformed part/i.test(error.message)
  return isBroken
    ? new ForageError('malformed_request', 'The form ends in the middle.', { cause: error })
    : error
}

function requireHashes(screenshots: readonly (readonly unknown[])[]): void {
  for (const [index, [hash]] of screenshots.entries())
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
      throw invalid(`$.screenshots[${index}][0]`, 'must be the hash of a screenshot: 64 hexadecimal digits')
}

const invalid = (path: string, message: string): ForageError =>
  new ForageError('invalid_request', `Not valid in the body: ${path} ${message}`, {
    errors: [{ path, message, in: 'body' }],
  })

/** A name that ends like the format keeps its ending; one of dots alone would hide the file. */
function fileName(name: string, mode: string): string {
  const shown = name.slice(0, 200).replace(/^[.\s]+/, '') || 'file'
  return shown.toLowerCase().endsWith(`.${mode}`) ? shown : `${shown}.${mode}`
}
