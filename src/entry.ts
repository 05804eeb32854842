/**
 * Files that are started as programs of their own: worker threads and child processes. They are entries of the bundle;
 * all files of a bundle lie in one folder, so an entry is found beside whichever of them asks.
 */
export const entries = [
  'cli/main',
  'engine/mapping/entry',
  'engine/sandbox/child',
  'network/pac-worker',
] as const

export type Entry = (typeof entries)[number]

/** What an entry is called in the bundle. */
export const bundledName = (entry: Entry): string => entry.replaceAll('/', '-')

/** Where an entry is: the source file, or its file in the bundle when this code runs from there. */
export const entryUrl = (entry: Entry): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL(`./${entry}.ts`, import.meta.url)
    : new URL(`./${bundledName(entry)}.js`, import.meta.url)
