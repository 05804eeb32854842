import Type from 'typebox'
import { ForageError } from '../../../errors.ts'
import { fields } from '../../../services/fields.ts'
import type { NamedText, NamedTexts } from '../../../services/secrets/named-texts.ts'
import { Prompt, PromptList } from '../../../services/secrets/records.ts'
import { requireMatch, sendRecord } from '../../etags.ts'
import { PageQuery, pageOf } from '../../lists.ts'
import { GONE, type Routes, route } from '../../route.ts'

export interface PromptRoutesOptions {
  readonly prompts: NamedTexts
}

const name = Type.String({ minLength: 1, maxLength: 1000 })
const prompt = Type.String({ minLength: 1, maxLength: 10_000 })

export const promptRoutes =
  (secrets: PromptRoutesOptions): Routes =>
  app => {
    const byName = fields({ name })

    route(app, 'listPrompts', {
      schema: { querystring: PageQuery, response: { 200: PromptList } },
      handler: async request => {
        const { items, total } = await secrets.prompts.list(request.query)
        return pageOf({ items: items.map(shown), total }, request.query)
      },
    })

    route(app, 'createPrompt', {
      schema: { body: fields({ name, prompt }), response: { 201: Prompt } },
      handler: async (request, reply) => {
        const made = shown(await secrets.prompts.create(request.body.name, request.body.prompt))
        reply.code(201).header('location', `/v1/secrets/prompts/${encodeURIComponent(made.name)}`)
        return sendRecord(request, reply, made)
      },
    })

    route(app, 'getPrompt', {
      schema: { params: byName, response: { 200: Prompt } },
      handler: async (request, reply) => {
        const found = (await secrets.prompts.get(request.params.name)) ?? missing(request.params.name)
        return sendRecord(request, reply, shown(found))
      },
    })

    route(app, 'updatePrompt', {
      schema: { params: byName, body: fields({ prompt }), response: { 200: Prompt } },
      handler: async (request, reply) => {
        const guard = (present: NamedText) => requireMatch(request, shown(present))
        const updated = await secrets.prompts.update(request.params.name, request.body.prompt, guard)
        return sendRecord(request, reply, shown(updated ?? missing(request.params.name)))
      },
    })

    route(app, 'deletePrompt', {
      schema: { params: byName, response: { 204: GONE } },
      handler: async (request, reply) => {
        const guard = (present: NamedText) => requireMatch(request, shown(present))
        if (!(await secrets.prompts.delete(request.params.name, guard))) missing(request.params.name)
        return reply.code(204).send()
      },
    })
  }

const shown = ({ value, name, createdAt, updatedAt }: NamedText) => ({
  name,
  prompt: value,
  createdAt,
  updatedAt,
})

function missing(name: string): never {
  throw new ForageError('not_found', `There is no prompt named ${name}.`)
}
