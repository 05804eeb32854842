import { isGzip, isZip } from './archives.ts'
import { remembered } from './remembered.ts'
import type { Source } from './serializers/content.ts'

export type Format = 'json' | 'ndjson' | 'xml' | 'csv' | 'parquet' | 'html' | 'text' | 'binary'

const TYPES: readonly (readonly [RegExp, Format])[] = [
  [/^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|json-?lines|json-seq)$/, 'ndjson'],
  [/^(?:application|text)\/(?:[\w.+-]+\+)?json$/, 'json'],
  [/^text\/html$|^application\/xhtml\+xml$/, 'html'],
  [/^(?:application|text)\/(?:[\w.+-]+\+)?xml$/, 'xml'],
  [/^(?:text|application)\/(?:csv|tab-separated-values)$/, 'csv'],
  [/^application\/(?:vnd\.apache\.|x-)?parquet$/, 'parquet'],
  [/^text\/|^application\/(?:(?:x-)?javascript|(?:x-)?yaml|toml|x-www-form-urlencoded|graphql|sql)$/, 'text'],
]

const ENDINGS: Readonly<Record<string, Format>> = {
  json: 'json',
  geojson: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  xml: 'xml',
  csv: 'csv',
  tsv: 'csv',
  parquet: 'parquet',
  html: 'html',
  htm: 'html',
  txt: 'text',
  md: 'text',
  log: 'text',
}

const ARCHIVE_TYPE = /^application\/(?:(?:x-)?zip(?:-compressed)?|(?:x-)?gzip)$/

/** What a content type says by itself. */
interface ReadType {
  /** Without its parameters; what says nothing is empty. */
  readonly bare: string
  readonly isArchive: boolean
  readonly format: Format | undefined
}

/** The answers of one server have one type, or a few: they are read once, not by eight patterns for every row. */
const readType = remembered((type: string): ReadType => {
  const given = type.split(';')[0]!.trim().toLowerCase()
  const saysNothing = /^(?:application|binary)\/(?:octet-stream|x-download|force-download)$/.test(given)
  const bare = saysNothing ? '' : given
  return {
    bare,
    isArchive: ARCHIVE_TYPE.test(bare),
    format: TYPES.find(([pattern]) => pattern.test(bare))?.[1],
  }
})

/** By its type; by its first bytes where no type says anything. */
export function archiveOf(source: Source): 'zip' | 'gzip' | undefined {
  const { bare, isArchive } = readType(source.type)
  if (isArchive && !bare.includes('gzip')) return 'zip'
  // Some servers call it gzip and send it packed on top of that, which has been undone by now.
  if (isArchive) return isGzip(source.bytes) ? 'gzip' : undefined
  if (bare !== '') return undefined
  return isZip(source.bytes) ? 'zip' : isGzip(source.bytes) ? 'gzip' : undefined
}

/** By the content type; where that says nothing, by the name of the file. */
export function formatOf(source: Source): Format {
  const { bare, isArchive, format } = readType(source.type)
  if (format) return format
  if (bare !== '' && !isArchive) return 'binary'
  if (source.bytes.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet'
  const ending = source.name.replace(/\.gz$/i, '').split('.').at(-1)!
  return ENDINGS[ending.toLowerCase()] ?? 'binary'
}
