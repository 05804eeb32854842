import { randomUUID } from 'node:crypto'
import type { Command } from '../../commands/command.ts'
import { cacheKeys } from '../../engine/cache-key.ts'
import { cachedStages } from '../../engine/cached-stages.ts'
import { type CellarAccess, cellarVersions } from '../../engine/cellar.ts'
import type { Deliveries } from '../../engine/deliveries.ts'
import type { Expander } from '../../engine/expand-stage.ts'
import { describe } from '../../language/describe.ts'
import { stringifyJson } from '../../language/json.ts'
import { valueAt } from '../../language/paths.ts'
import type { PlanDocument, Stage } from '../../language/plan.ts'
import { plan } from '../../language/planner.ts'
import type { Knowledge } from '../../language/read-value.ts'
import type { ResultCache } from './cache.ts'
import { constantsOf, type QueryNames, withTemplateValues } from './constants.ts'
import { type Decoration, decorate, quoteName } from './decorate.ts'
import { type LimitsOf, withEstimates } from './estimate.ts'
import { type Checked, commandText, invalidQuery, planCommand } from './planning.ts'
import type { CommandOrigin, QueryBook } from './query-book.ts'
import { fillDocument } from './template-plan.ts'
import { parametersIn, type TemplateValues } from './template-values.ts'
import type { Templates } from './templates.ts'

export interface PlannerOptions {
  readonly commands: readonly Command[]
  readonly names: QueryNames
  readonly templates: Templates
  readonly deliveries: Pick<Deliveries, 'storeNames'>
  readonly expander: Expander
  readonly limitsOf: LimitsOf
  readonly cache: ResultCache
  readonly cellar: CellarAccess
  readonly book: QueryBook
}

/** Plans queries against what there is: the names that they may use, the cache, the domain policies. */
export class QueryPlanner {
  readonly #options: PlannerOptions

  constructor(options: PlannerOptions) {
    this.#options = options
  }

  /** A query that is to run. `values`: what its template was given. */
  async plan(text: string, values: TemplateValues = {}): Promise<Checked> {
    const knows = await this.#knowledge(text, Object.keys(values))
    return plan(text, { commands: this.#options.commands, knows })
  }

  /** A command that is to run by itself. */
  async planCommand(origin: CommandOrigin): Promise<Checked> {
    const { commands, names } = this.#options
    return planCommand(origin, commands, await names.knowledge(commandText(origin.document)))
  }

  /** The plan as a document; a query with mistakes throws them all. */
  async parse(
    text: string,
    options: { readonly parseOnly: boolean; readonly addFlags: boolean },
    values: TemplateValues = {},
  ): Promise<PlanDocument> {
    const { commands, limitsOf } = this.#options
    const knows = await this.#knowledge(text)
    const planned = plan(text, { commands, syntaxOnly: options.parseOnly, knows })
    if (planned.diagnostics.length > 0) throw invalidQuery(planned.diagnostics)
    const document = describe(planned, { addFlags: options.addFlags })
    if (!planned.plan) return document
    const cached = await this.#cachedNow(planned.plan.stages, values)
    return withEstimates(document, planned.plan, { limitsOf, cached })
  }

  /** The plan of a template with the values in it. */
  async parseTemplate(query: string, values: TemplateValues): Promise<PlanDocument> {
    const filled = await this.#options.templates.fill(query, values, { partly: true })
    const options = { parseOnly: false, addFlags: true }
    return fillDocument(await this.parse(filled.query, options, filled.values), filled.values)
  }

  /** What could be done next with the result of a query: with the paths given, or the columns of the last time it ran. */
  async decorate(
    query: string,
    type: 'attribute' | 'multiattribute',
    given?: readonly string[],
  ): Promise<Decoration[]> {
    const { commands, names, book } = this.#options
    const checked = plan(query, { commands, knows: await names.knowledge(query) })
    if (!checked.plan) throw invalidQuery(checked.diagnostics)
    const paths = given ?? (await book.columnsOfLastRun(query)).map(quoteName)
    return decorate(query, type, paths, commands)
  }

  /** The stages that would be answered from the cache if the query ran now. */
  async #cachedNow(stages: readonly Stage[], values: TemplateValues): Promise<ReadonlySet<number>> {
    // Without a value for all that its template asks for it could not run.
    const isWhole = parametersIn(stages).every(path => valueAt(values, path) !== undefined)
    if (!isWhole) return new Set()
    const { names, cellar, cache } = this.#options
    const kept = withTemplateValues(stringifyJson(values), await names.constants(stages))
    const constant = constantsOf(randomUUID(), new Date(), kept)
    const versions = await cellarVersions(stages, { constant }, cellar)
    const keys = cacheKeys(stages, constant, versions)
    const found = await cachedStages(stages, keys, cache.find, { constant })
    return new Set(found.keys())
  }

  /** Which names there are outside of a query. `values`: those that its template was given; not checked without. */
  async #knowledge(text: string, values?: readonly string[]): Promise<Knowledge> {
    const { names, templates, deliveries, expander } = this.#options
    const templateNames = /\bruntemplate\b/i.test(text) ? await templates.names() : undefined
    const stores = /--store\b/i.test(text) ? await deliveries.storeNames() : undefined
    return {
      ...(await names.knowledge(text)),
      device: () => new Set(expander.executor.devices().map(({ name }) => String(name))),
      ...(templateNames && { template: () => templateNames }),
      ...(stores && { store: () => stores }),
      ...(values && values.length === 0 && { templateValue: () => new Set<string>() }),
    }
  }
}
