import Type from 'typebox'
import { ForageError } from '../../../errors.ts'
import { fields } from '../../../services/fields.ts'
import type { NamedText, NamedTexts } from '../../../services/secrets/named-texts.ts'
import { Checkpoint, CheckpointList } from '../../../services/secrets/records.ts'
import { requireMatch, sendRecord } from '../../etags.ts'
import { PageQuery, pageOf } from '../../lists.ts'
import { GONE, type Routes, route } from '../../route.ts'

export interface CheckpointRoutesOptions {
  readonly checkpoints: NamedTexts
}

const name = Type.String({ minLength: 1, maxLength: 1000 })
const checkpoint = Type.String({ minLength: 1, maxLength: 10_000 })

export const checkpointRoutes =
  (secrets: CheckpointRoutesOptions): Routes =>
  app => {
    const byName = fields({ name })

    route(app, 'listCheckpoints', {
      schema: { querystring: PageQuery, response: { 200: CheckpointList } },
      handler: async request => {
        const { items, total } = await secrets.checkpoints.list(request.query)
        return pageOf({ items: items.map(shown), total }, request.query)
      },
    })

    route(app, 'createCheckpoint', {
      schema: { body: fields({ name, checkpoint }), response: { 201: Checkpoint } },
      handler: async (request, reply) => {
        const made = shown(await secrets.checkpoints.create(request.body.name, request.body.checkpoint))
        reply.code(201).header('location', `/v1/secrets/checkpoints/${encodeURIComponent(made.name)}`)
        return sendRecord(request, reply, made)
      },
    })

    route(app, 'getCheckpoint', {
      schema: { params: byName, response: { 200: Checkpoint } },
      handler: async (request, reply) => {
        const found = (await secrets.checkpoints.get(request.params.name)) ?? missing(request.params.name)
        return sendRecord(request, reply, shown(found))
      },
    })

    route(app, 'updateCheckpoint', {
      schema: { params: byName, body: fields({ checkpoint }), response: { 200: Checkpoint } },
      handler: async (request, reply) => {
        const guard = (present: NamedText) => requireMatch(request, shown(present))
        const updated = await secrets.checkpoints.update(request.params.name, request.body.checkpoint, guard)
        return sendRecord(request, reply, shown(updated ?? missing(request.params.name)))
      },
    })

    route(app, 'deleteCheckpoint', {
      schema: { params: byName, response: { 204: GONE } },
      handler: async (request, reply) => {
        const guard = (present: NamedText) => requireMatch(request, shown(present))
        if (!(await secrets.checkpoints.delete(request.params.name, guard))) missing(request.params.name)
        return reply.code(204).send()
      },
    })
  }

const shown = ({ value, name, createdAt, updatedAt }: NamedText) => ({
  name,
  checkpoint: value,
  createdAt,
  updatedAt,
})

function missing(name: string): never {
  throw new ForageError('not_found', `There is no checkpoint named ${name}.`)
}
