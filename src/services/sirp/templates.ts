import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Static } from 'typebox'
import { type ErrorItem, ForageError } from '../../errors.ts'
import type { CommandDeclaration } from '../../language/declaration.ts'
import type { Plan } from '../../language/plan.ts'
import { plan } from '../../language/planner.ts'
import { type Catalog, touched } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { TemplateTable } from '../../storage/catalog/schema.ts'
import { invalidQuery } from './planning.ts'
import type { QueryTemplate } from './saved-records.ts'
import { schemaErrors, type ValueSchema } from './template-schema.ts'
import {
  describeParameters,
  fillValues,
  parametersIn,
  readTexts,
  type TemplateValues,
} from './template-values.ts'

export type TemplateRecord = Static<typeof QueryTemplate>
type TemplateRow = Selectable<TemplateTable>

export interface NewTemplate {
  readonly name: string
  readonly description: string
  readonly query: string
  readonly templateSchema?: Record<string, unknown>
}

export interface TemplateChange {
  readonly name?: string
  readonly description?: string
  readonly query?: string
}

export interface TemplateSearch extends PageRequest {
  readonly name?: string | undefined
  readonly sortBy?: string | undefined
}

/** A template with what it was given: what a query is made of. */
export interface FilledTemplate {
  readonly id: string | null
  readonly query: string
  readonly values: TemplateValues
}

const SORTS = { name: 'name', createdAt: 'created_at', updatedAt: 'updated_at' } as const
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Queries with holes that people keep under a name. */
export class Templates {
  readonly #catalog: Catalog
  readonly #commands: readonly CommandDeclaration[]

  constructor(catalog: Catalog, commands: readonly CommandDeclaration[]) {
    this.#catalog = catalog
    this.#commands = commands
  }

  async list({ name, sortBy = 'name', ...page }: TemplateSearch): Promise<Page<TemplateRecord>> {
    let query = this.#catalog.db.selectFrom('templates').selectAll()
    if (name !== undefined)
      query = query.where(eb =>
        eb(eb.fn('instr', [eb.fn('lower', ['name']), eb.val(name.toLowerCase())]), '>', 0),
      )
    const { column, descending } = sortOf(sortBy)
    const sorted = query.orderBy(column, descending ? 'desc' : 'asc').orderBy('id')
    return listPage(sorted, page, row => this.#record(row))
  }

  async get(id: string): Promise<TemplateRecord> {
    return this.#record(await this.#row(id))
  }

  async create(template: NewTemplate): Promise<TemplateRecord> {
    const { name, description, query, templateSchema = null } = template
    this.#check(query, templateSchema)
    const now = new Date().toISOString()
    const row: TemplateRow = {
      id: randomUUID(),
      name,
      description,
      query,
      template_schema: templateSchema && JSON.stringify(templateSchema),
      created_at: now,
      updated_at: now,
    }
    const added = await this.#catalog.db
      .insertInto('templates')
      .values(row)
      .onConflict(conflict => conflict.column('name').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw nameTaken(name)
    return this.#record(row)
  }

  /** `guard` throws when the record is not what whoever changes it has seen. */
  async update(
    id: string,
    change: TemplateChange,
    guard: (present: TemplateRecord) => void,
  ): Promise<TemplateRecord> {
    return this.#catalog.transaction(async db => {
      const present = await this.#row(id, db)
      guard(this.#record(present))
      const updated = { ...present, ...change, updated_at: new Date().toISOString() }
      this.#check(updated.query, schemaOf(present))
      const { name, description, query, updated_at } = updated
      const other = await db
        .selectFrom('templates')
        .select('id')
        .where('name', '=', name)
        .where('id', '!=', present.id)
        .executeTakeFirst()
      if (other) throw nameTaken(name)
      await db
        .updateTable('templates')
        .set({ name, description, query, updated_at })
        .where('id', '=', present.id)
        .execute()
      return this.#record(updated)
    })
  }

  async delete(id: string, guard: (present: TemplateRecord) => void): Promise<void> {
    await this.#catalog.transaction(async db => {
      guard(this.#record(await this.#row(id, db)))
      const result = await db.deleteFrom('templates').where('id', '=', id.toLowerCase()).executeTakeFirst()
      if (touched(result) === 0) throw noSuchTemplate(id)
    })
  }

  /** The text of a template, or its id, with values: everything that is wrong with them is told at once. */
  async fill(textOrId: string, given: TemplateValues, { partly = false } = {}): Promise<FilledTemplate> {
    const row = UUID.test(textOrId) ? await this.#row(textOrId) : undefined
    const query = row?.query ?? textOrId
    const { values, errors } = this.#filled(query, row ? schemaOf(row) : null, given, partly)
    if (errors.length > 0) throw badValues(errors)
    return { id: row?.id ?? null, query, values }
  }

  /** The same by name, for a query that runs it: undefined when there is none of that name. */
  async fillNamed(
    name: string,
    given: TemplateValues,
  ): Promise<(FilledTemplate & { readonly errors: readonly ErrorItem[] }) | undefined> {
    const row = await this.#catalog.db
      .selectFrom('templates')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst()
    if (!row) return undefined
    const schema = schemaOf(row)
    return { id: row.id, query: row.query, ...this.#filled(row.query, schema, readTexts(given, schema)) }
  }

  /** Every name that there is. */
  async names(): Promise<ReadonlySet<string>> {
    const rows = await this.#catalog.db.selectFrom('templates').select('name').execute()
    return new Set(rows.map(row => row.name))
  }

  #filled(query: string, schema: ValueSchema | null, given: TemplateValues, partly = false) {
    return fillValues(given, parametersIn(this.#plan(query).stages), schema, { partly })
  }

  #check(query: string, schema: Record<string, unknown> | ValueSchema | null): void {
    const parameters = parametersIn(this.#plan(query).stages)
    if (schema === null) return
    const errors = schemaErrors(schema as Record<string, unknown>)
    const { properties = {}, additionalProperties } = schema as ValueSchema
    if (errors.length === 0 && additionalProperties === false)
      for (const { text, segments } of parameters)
        if (!Object.hasOwn(properties, text) && !Object.hasOwn(properties, segments[0]!))
          errors.push({
            path: `$.templateSchema.properties.${text}`,
            message: `is missing: the query has $template.${text}$, and the schema allows nothing else`,
            in: 'body',
          })
    if (errors.length > 0)
      throw new ForageError('invalid_request', `The templateSchema does not do: ${first(errors)}`, { errors })
  }

  #plan(query: string): Plan {
    const planned = plan(query, { commands: this.#commands })
    if (!planned.plan) throw invalidQuery(planned.diagnostics)
    return planned.plan
  }

  async #row(id: string, db: Pick<Catalog['db'], 'selectFrom'> = this.#catalog.db): Promise<TemplateRow> {
    const row = await db
      .selectFrom('templates')
      .selectAll()
      .where('id', '=', id.toLowerCase())
      .executeTakeFirst()
    if (!row) throw noSuchTemplate(id)
    return row
  }

  /** One that a later version of Forage does not understand any more is shown without its parameters. */
  #record(row: TemplateRow): TemplateRecord {
    const { plan: planned } = plan(row.query, { commands: this.#commands })
    const schema = schemaOf(row)
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      query: row.query,
      templateSchema: schema as Record<string, unknown> | null,
      parameters: planned ? describeParameters(parametersIn(planned.stages), schema) : [],
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  }
}

const schemaOf = (row: TemplateRow): ValueSchema | null =>
  row.template_schema === null ? null : (JSON.parse(row.template_schema) as ValueSchema)

function sortOf(sortBy: string): { column: (typeof SORTS)[keyof typeof SORTS]; descending: boolean } {
  const descending = sortBy.startsWith('-')
  const name = descending ? sortBy.slice(1) : sortBy
  if (Object.hasOwn(SORTS, name)) return { column: SORTS[name as keyof typeof SORTS], descending }
  const message = `must be one of ${Object.keys(SORTS).join(', ')}, with - in front for descending`
  throw new ForageError('invalid_request', `sortBy ${message}.`, {
    errors: [{ path: '$.sortBy', message, in: 'query' }],
  })
}

const first = ([error]: readonly ErrorItem[]): string => `${error!.path} ${error!.message}.`

const badValues = (errors: readonly ErrorItem[]): ForageError =>
  new ForageError('invalid_request', `The values do not fit the template: ${first(errors)}`, { errors })

const nameTaken = (name: string): ForageError =>
  new ForageError('name_taken', `There is a template named ${name} already.`)

const noSuchTemplate = (id: string): ForageError =>
  new ForageError('not_found', `There is no template ${id}.`)
