/** What the names of files, manifests and stores are made of. */
const NAME = /^[A-Za-z0-9\-_. ]{1,1000}$/

export const nameError = (name: string): string | undefined => {
  if (name === '') return 'It needs a name.'
  return NAME.test(name) ? undefined : 'Letters from a to z, digits, spaces, and - _ . only; at most 1,000.'
}

/** A name for a file that comes: its own without the ending, with what may not stand in a name replaced. */
export const nameFor = (file: string): string =>
  file
    .replace(/\.(?:json|ndjson|jsonl|csv|tsv|parquet)$/i, '')
    .replaceAll(/[^A-Za-z0-9\-_. ]+/g, '-')
    .slice(0, 1000) || 'file'

/** The query that reads a file of the cellar. */
export const thawQuery = (name: string): string =>
  /^[A-Za-z0-9_][\w.-]*$/.test(name) ? `thaw ${name}` : `thaw "${name}"`
