import { CommandFailure } from '../../commands/failure.ts'
import type { PreparedTemplate, TemplateAccess } from '../../engine/nested-run.ts'
import type { CommandDeclaration } from '../../language/declaration.ts'
import type { Json } from '../../language/json.ts'
import { valueAt } from '../../language/paths.ts'
import { plan } from '../../language/planner.ts'
import type { QueryNames } from './constants.ts'
import type { Templates } from './templates.ts'

/** Templates as the stages of queries run them. */
export class TemplateRuns implements TemplateAccess {
  readonly #templates: Templates
  readonly #commands: readonly CommandDeclaration[]
  readonly #names: QueryNames

  constructor(templates: Templates, commands: readonly CommandDeclaration[], names: QueryNames) {
    this.#templates = templates
    this.#commands = commands
    this.#names = names
  }

  async prepare(name: string, given: Readonly<Record<string, Json>>): Promise<PreparedTemplate> {
    const filled = await this.#templates.fillNamed(name, given)
    if (!filled) throw new CommandFailure('no_template', `There is no template named ${name.slice(0, 100)}.`)
    const [wrong] = filled.errors
    if (wrong) {
      const flag = wrong.path.replace('$.values.', '--template.')
      throw new CommandFailure('template_values', `The template ${name}: ${flag} ${wrong.message}.`)
    }
    const knows = await this.#names.knowledge(filled.query)
    const { plan: checked, diagnostics } = plan(filled.query, { commands: this.#commands, knows })
    if (!checked)
      throw new CommandFailure('template_invalid', `The template ${name}: ${diagnostics[0]?.message}`)
    const kept = await this.#names.constants(checked.stages)
    return {
      id: filled.id!,
      plan: checked,
      constant: token => (token.kind === 'template' ? valueAt(filled.values, token.path) : kept(token)),
    }
  }
}
