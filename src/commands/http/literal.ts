import type { Stage } from '../../language/plan.ts'
import { literalText } from '../../language/tokens.ts'
import type { Value } from '../../language/values.ts'

/** What an argument says, if it says the same for every row. */
export function literalArgument(stage: Stage, name: string): string | undefined {
  const value = stage.args[name] as Value | undefined
  return value?.type === 'text' ? literalText(value.template) : undefined
}
