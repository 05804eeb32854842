import type { CommandDeclaration } from './declaration.ts'

const INDEXES = new WeakMap<readonly CommandDeclaration[], ReadonlyMap<string, CommandDeclaration>>()

/** Commands by name and alias, in small letters. */
export function indexOf(commands: readonly CommandDeclaration[]): ReadonlyMap<string, CommandDeclaration> {
  let index = INDEXES.get(commands)
  if (!index) {
    index = new Map(
      commands.flatMap(command =>
        [...(command.aliases ?? []), command.name].map(name => [name.toLowerCase(), command] as const),
      ),
    )
    INDEXES.set(commands, index)
  }
  return index
}
