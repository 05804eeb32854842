import type { Parameter } from '../language/declaration.ts'
import type { Stage } from '../language/plan.ts'
import { resolveText, type Scope } from '../language/resolve.ts'
import type { Value } from '../language/values.ts'
import type { StageFile } from './tables/stage-file.ts'

/** A table that outlives queries, as it is at one moment. */
export interface KeptTable {
  readonly table: StageFile
  /** Another with every change. */
  readonly version: string
}

export type FreezeMode = 'overwrite' | 'append'

/** Which stage of which query: the same when it runs again after a crash. */
export interface StageId {
  readonly queryId: string
  readonly stage: string
}

/** Tables that people keep under names, and what `diff` compares with, which has names of its own. */
export interface CellarAccess {
  find(name: string): Promise<KeptTable | undefined>
  /** Puts rows under a name, once for a stage, however often it runs. True when the file is the cellar's from then on. */
  freeze(name: string, table: StageFile, mode: FreezeMode, by: StageId, signal: AbortSignal): Promise<boolean>
  baseline(name: string): Promise<KeptTable | undefined>
  /** What the baseline becomes if the query completes. The file is the cellar's from then on. */
  prepareBaseline(name: string, table: StageFile, by: StageId): Promise<void>
}

/** The versions of the cellar files that stages read, by name; the empty text for one that is not there. */
export async function cellarVersions(
  stages: readonly Stage[],
  scope: Scope,
  cellar: Pick<CellarAccess, 'find'> | undefined,
): Promise<ReadonlyMap<string, string>> {
  const names = new Set(stages.flatMap(stage => cellarNames(stage, scope)))
  const versions = new Map<string, string>()
  for (const name of names) versions.set(name, (await cellar?.find(name))?.version ?? '')
  return versions
}

/** The names of the cellar files that a stage reads. */
export function cellarNames(stage: Stage, scope: Scope): string[] {
  const { declaration, args, flags } = stage
  return [...namesIn(declaration.arguments, args, scope), ...namesIn(declaration.flags ?? [], flags, scope)]
}

/** Its rows depend on what lies in the cellar at the moment, so that they cannot be computed again later. */
export const readsCellar = ({ declaration, args, flags }: Stage): boolean =>
  declaration.arguments.some(({ name, names }) => names === 'cellar' && name in args) ||
  (declaration.flags ?? []).some(({ name, names }) => names === 'cellar' && name in flags)

type Given = Readonly<Record<string, Value | readonly Value[]>>

function namesIn(parameters: readonly Parameter[], given: Given, scope: Scope): string[] {
  return parameters
    .filter(({ names }) => names === 'cellar')
    .flatMap(({ name }) => given[name] ?? [])
    .flatMap(value => (value.type === 'text' ? [resolveText(value.template, scope)] : []))
}
