import type { Readable } from 'node:stream'
import Type, { type TObject, type TProperties } from 'typebox'
import type { Row } from '../language/json.ts'
import type { Dialer } from '../network/dialer.ts'
import type { HttpClient } from '../network/http.ts'
import type { Batch, OutgoingColumn } from './shared/batch.ts'

/** What a store was given: its own fields, and its secrets, opened. */
export interface StoreConfig {
  readonly configuration: Readonly<Record<string, unknown>>
  readonly credentials: Readonly<Record<string, unknown>>
}

/** What stores reach the world with. */
export interface StoreContext {
  readonly dialer: Dialer
  readonly client: HttpClient
  /** `FORAGE_FILES`: the one folder that stores may write files to; undefined when none is set. */
  readonly files: string | undefined
  /** Forage's own data folder, which no store may touch. */
  readonly dataFolder: string
}

export type FileFormat = 'ndjson' | 'json' | 'csv' | 'parquet'
export type WriteMode = 'append' | 'overwrite'

/** One delivery, as a store sees it. */
export interface DeliveryTarget {
  /** The same however often the delivery is taken up again: what the ids of its rows begin with. */
  readonly id: string
  /** The store's own target: a table, a topic, an object. */
  readonly name: string | undefined
  readonly mode: WriteMode
  readonly format: FileFormat | 'row' | undefined
  /** The columns whose values tell rows apart. */
  readonly key: readonly string[]
  readonly columns: readonly OutgoingColumn[]
  /** How many rows there are, and how many of them an earlier process has delivered. */
  readonly total: number
  readonly delivered: number
  readonly signal: AbortSignal
}

/** What became of a batch: the rows that are not named were taken. */
export interface WriteOutcome {
  readonly rejected: readonly Rejection[]
  /** How long the store asks to be left alone before those are tried again. */
  readonly retryAfterMs?: number | undefined
}

export interface Rejection {
  /** The place of the row in the batch. */
  readonly index: number
  readonly code: string
  readonly retryable: boolean
  readonly message: string
}

export const TAKEN: WriteOutcome = { rejected: [] }

/** A store that takes rows, some at a time. */
export interface RowWriter {
  readonly kind: 'rows'
  /** How it wants them: the text of the row as an object, unless it says that it takes the values one by one. */
  readonly form?: 'object' | 'values'
  /** The most that it takes at once. */
  readonly ceiling: { readonly rows: number; readonly bytes: number }
  /** Throws a `StoreError` when the batch failed as a whole. */
  write(batch: Batch): Promise<WriteOutcome>
  /** All rows are there: what becomes visible only at the end does so now. Safe to call again after a failure. */
  finish(): Promise<void>
  /** Lets go of connections, however the delivery ended. */
  close(): Promise<void>
}

/** A store that takes a whole file: all of it or nothing. */
export interface FileWriter {
  readonly kind: 'file'
  readonly format: FileFormat
  put(content: Readable): Promise<void>
  close(): Promise<void>
}

export type StoreWriter = RowWriter | FileWriter

/** What a store has under a name: rows, or files with rows in them, of whatever format. */
export type StoreReader =
  | { readonly kind: 'rows'; readonly rows: AsyncIterable<Row> }
  | { readonly kind: 'files'; readonly files: AsyncIterable<Readable> }

/** A kind of store. Validation, the masked answer, the form and docs/stores.md come from it. */
export interface StoreType {
  readonly type: string
  readonly title: string
  /** In Markdown. */
  readonly help: string
  /** What happens when a delivery is taken up again after a crash. */
  readonly guarantee: string
  /** `{ configuration, credentials }`; a field that is `writeOnly` is a secret. */
  readonly schema: TObject
  /** What is wrong with fields that are each right by themselves. */
  readonly problems?: (config: StoreConfig) => readonly { readonly path: string; readonly message: string }[]
  /** Connects, and says in words what is wrong. */
  check(config: StoreConfig, context: StoreContext, signal: AbortSignal): Promise<void>
  open(config: StoreConfig, target: DeliveryTarget, context: StoreContext): Promise<StoreWriter>
  /** What is under a name, for kinds that can give it back. It fails as `open` and `write` do, also while it is read. */
  read?(
    config: StoreConfig,
    name: string | undefined,
    context: StoreContext,
    signal: AbortSignal,
  ): Promise<StoreReader>
}

interface StoreErrorOptions extends ErrorOptions {
  /** May succeed later: the network, a server that is restarting, a limit on requests. */
  readonly retryable?: boolean
  readonly retryAfterMs?: number | undefined
  /** The batch is larger than the server takes: it is split. */
  readonly tooLarge?: boolean
}

/** A store that could not do what it was asked, in words for whoever set it up. Never holds a secret. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: string
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  readonly tooLarge: boolean

  constructor(code: string, message: string, options: StoreErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
    this.retryAfterMs = options.retryAfterMs
    this.tooLarge = options.tooLarge ?? false
  }
}

const strict = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

/** A text that is sealed in the vault, and answered as a mask. */
export const secret = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100_000, description, writeOnly: true })

export const text = (description: string) => Type.String({ minLength: 1, maxLength: 10_000, description })

export const choice = <const C extends readonly string[]>(
  choices: C,
  description: string,
  otherwise?: C[number],
) =>
  Type.Enum([...choices] as C[number][], {
    description,
    ...(otherwise !== undefined && { default: otherwise }),
  })

/** What every store can be told besides its own fields. */
const common = {
  throughput: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, description: 'The most rows a second, all deliveries together' }),
  ),
  batch: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'The most rows at once; never above what the kind takes',
    }),
  ),
  batchBytes: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The most bytes at once; never above what the kind takes' }),
  ),
  refusals: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description:
        'The share of rows that may be refused before the delivery stops; looked at after 100 rows and at the end',
    }),
  ),
  patience: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 900,
      description: 'Seconds that a store which is out of reach is waited for',
    }),
  ),
}

export const tlsFields = strict({
  enabled: Type.Boolean({ description: 'Speak TLS' }),
  verify: Type.Optional(
    Type.Boolean({ default: true, description: 'Refuse a certificate that is not valid for the host' }),
  ),
  ca: Type.Optional(text('The certificate of the authority to trust, in PEM')),
  cert: Type.Optional(text('The certificate to show, in PEM')),
  key: Type.Optional(secret('The private key of that certificate, in PEM')),
})

/** The schema of a kind: its own fields, those of every kind, and its credentials. */
export const storeSchema = <C extends TProperties, S extends TProperties>(configuration: C, credentials: S) =>
  strict({
    configuration: strict({ ...configuration, ...common }),
    credentials: Type.Optional(strict(credentials)),
  })
