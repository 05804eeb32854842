import type { CommandDeclaration, Parameter, ValueType } from '../language/declaration.ts'
import type { Expression } from '../language/expression/tree.ts'
import type { Json, Row } from '../language/json.ts'
import type { Aggregate, Path, Template } from '../language/values.ts'
import type { HttpRequest } from '../network/http.ts'
import type { HttpResponse } from '../network/response.ts'
import type { WholeResponse } from '../network/whole-response.ts'
import type { Relation } from '../sql/relation.ts'
import type { Sql } from '../sql/sql.ts'
import type { JobBrowser } from './browsing/browser.ts'
import type { DeliveryRequest } from './delivery.ts'

/** A command: what it says of itself, and how it runs. */
export type Command<D extends CommandDeclaration = CommandDeclaration> = D & Runner<D>

type Runner<D> =
  | { readonly source: (context: SourceContext<D>) => Relation | Promise<Relation> }
  | { readonly reduce: (context: ReduceContext<D>) => Relation | Promise<Relation> }
  | { readonly expand: (context: ExpandContext<D>) => Expanding }

/**
 * What an expanding command gives for one row: all its rows, at once or promised, or as they come, one or some at a time.
 * Those that come are written away as they do, so there may be more than memory would hold.
 */
export type Expanding = Iterable<Row> | Promise<Iterable<Row>> | AsyncIterable<Row | readonly Row[]>

/** What the types of a command's arguments and flags are read from. */
interface Takes<A extends readonly Parameter[], F extends readonly Parameter[]> {
  readonly arguments: A
  readonly flags: F
}

type Declared<A extends readonly Parameter[], F extends readonly Parameter[]> = Omit<
  CommandDeclaration,
  keyof Takes<A, F>
> & { readonly arguments: A; readonly flags?: F }

/**
 * Declares a command; the arguments that `source`, `reduce` or `expand` get are typed by the declaration. To the rest of
 * the world it is one command among others: the engine checks its arguments against the declaration, not by types, which is
 * why the cast forgets them.
 */
export const command = <
  const A extends readonly Parameter[],
  const F extends readonly Parameter[] = readonly [],
>(
  declaration: Declared<A, F> & Runner<Takes<A, F>>,
): Command => declaration as unknown as Command

type ValueOf<T extends ValueType> = T extends 'path' | 'column'
  ? Path
  : T extends 'template'
    ? Template
    : T extends 'expression'
      ? Expression
      : T extends 'aggregates'
        ? readonly Aggregate[]
        : T extends 'integer' | 'number'
          ? number
          : T extends 'boolean'
            ? boolean
            : T extends 'json'
              ? Json
              : string

type Item<P extends Parameter> = P extends {
  readonly type: 'choice'
  readonly choices: readonly (infer Choice)[]
}
  ? Choice
  : ValueOf<P['type']>
type Given<P> = P extends Parameter
  ? P extends { readonly repeated: true }
    ? readonly Item<P>[]
    : Item<P>
  : never
type ArgumentsOf<L> = L extends readonly Parameter[]
  ? {
      readonly [P in L[number] as P['name']]: P extends { readonly optional: true }
        ? Given<P> | undefined
        : Given<P>
    }
  : Record<string, never>
type FlagsOf<L> = L extends readonly Parameter[]
  ? {
      readonly [P in L[number] as P['name']]: P extends { readonly default: Json }
        ? Given<P>
        : Given<P> | undefined
    }
  : Record<string, never>

/**
 * What an expanding command has for one row. What it throws becomes the row's `_error`: a `NetworkError`, a
 * `CommandFailure`.
 */
export interface ExpandContext<D> {
  /** Filled in for this row. */
  readonly args: D extends { readonly arguments: infer L } ? ArgumentsOf<L> : never
  readonly flags: D extends { readonly flags: infer L } ? FlagsOf<L> : Record<string, never>
  /** The row it works on; `{}` when it is the first stage. */
  readonly row: Row
  readonly rowIndex: number
  readonly queryId: string
  readonly startedAt: Date
  /** Ends when the query is cancelled. The job's time-out is for `send`, so that waiting for a turn does not count. */
  readonly signal: AbortSignal
  /** The same id for the same row however often it is tried: an `Idempotency-Key` where the job writes. */
  readonly jobId: string
  /** One request under the domain policies, tried again as the flags say. Resolves with whatever status came. */
  send(request: JobRequest): Promise<HttpResponse>
  /** The same with the body, read whole as a part of the try: an answer that breaks off is tried again like any other. */
  fetch(request: JobRequest): Promise<WholeResponse>
  /** Pages in the browser, under the domain policies too. */
  readonly browser: JobBrowser
  /** The values of the flags whose order counts, in the order in which they were written. */
  readonly ordered: readonly { readonly flag: string; readonly value: Json }[]
  /** Whether an expression is true of a row, which need not be in any table. */
  test(expression: Expression, row: Row): Promise<boolean>
  /** The rows of a Parquet file, read by the table engine; throws what that says of a broken one. */
  readParquet(bytes: Uint8Array): AsyncIterable<Row>
  /** Requests that were made so far, tries and redirects included. */
  readonly attempts: number
  /** A flag once more, with `$pagination.next$` standing for this pointer; null where the flag was not given. */
  withPointer(flag: string, pointer: Json): Json
  /** A credential by its name: its type, what is no secret of it, and its token with a handle in the secret's place. */
  credential(name: string): Promise<CredentialView>
  /** A limit that bit: kept in the query's record, once however many rows say it. */
  warn(code: string, message: string): void
}

/** A credential as a command may know it. */
export interface CredentialView {
  readonly type: string
  /** The fields that are no secrets. */
  readonly settings: Readonly<Record<string, string | undefined>>
  /** `{ access_token, token_type, … }`, a handle in the place of the secret. Fetches a token where the type needs one. */
  token(): Promise<Row>
}

/** What a job may say of a request; the rest (time-out, retries, what it may reach) is the engine's. */
export type JobRequest = Omit<HttpRequest, 'scope' | 'signal' | 'beforeSend'> & {
  /** Statuses that are an answer and not to be tried again, whatever they mean to others. */
  readonly accepts?: (status: number) => boolean
  readonly retries?: number
  /** May be sent again although its method says otherwise: a GraphQL query, which only reads. */
  readonly idempotent?: boolean
  /** The host was not written by the user: it came in an answer, such as a page's link. */
  readonly fromData?: boolean
  /** The host was written by a user after all, in the settings of a credential. */
  readonly isConfigured?: boolean
}

/** What both other kinds may ask of the engine. */
export interface SourceContext<D> {
  readonly args: D extends { readonly arguments: infer L } ? ArgumentsOf<L> : never
  readonly flags: D extends { readonly flags: infer L } ? FlagsOf<L> : Record<string, never>
  readonly queryId: string
  readonly startedAt: Date
  /** The labels of the earlier stages. */
  readonly labels: readonly string[]
  /** The rows of an earlier stage, by label or index. */
  stage(reference: string): Promise<Relation>
  /** Writes rows to a table, inferring the types over all of them. */
  ingest(rows: Iterable<Row> | AsyncIterable<Row>): Promise<Relation>
  /** Runs a small query of discovery (which keys are there, is it all numbers) and gives its rows. */
  probe(query: Sql): Promise<Row[]>
  /** The devices that the browser can stand for. */
  devices(): readonly Row[]
  /** The rows of a cellar file. */
  cellar(name: string): Promise<Relation>
  /** The rows that a store has under a name of its own. */
  readStore(store: string, name: string | undefined): Promise<Relation>
  /** The rows that a template gives with these values. */
  runTemplate(name: string, values: Readonly<Record<string, Json>>): Promise<Relation>
  /** A limit that bit, a division by zero: kept in the query's record. */
  warn(code: string, message: string): void
}

export interface ReduceContext<D> extends SourceContext<D> {
  readonly input: Relation
  /** Puts a relation into a file, so that a command that looks before it leaps computes it once. */
  materialize(relation: Relation): Promise<Relation>
  /** Maps the rows in batches by a function of `commands/mappers/`, on a worker thread: for what SQL cannot say. */
  map(relation: Relation, mapper: string, options: Json): Promise<Relation>
  /** The rows of a relation in their order, some at a time: for a command that sends them somewhere. */
  rows(relation: Relation): AsyncIterable<readonly Row[]>
  /** One request under the domain policies, tried again as the defaults say, with the whole answer. */
  fetch(request: JobRequest): Promise<WholeResponse>
  /** The same for the same stage of the same query however often it is run: the beginning of an `Idempotency-Key`. */
  readonly stageId: string
  /** Takes rows to a store: each once, however often the stage runs, as far as the store can help. */
  deliver(relation: Relation, request: DeliveryRequest): Promise<void>
  /** Puts rows into the cellar, in one step, and once however often the stage runs. */
  freeze(name: string, relation: Relation, mode: 'overwrite' | 'append'): Promise<void>
  /** What the last query that completed left under this name. */
  baseline(name: string): Promise<{ readonly relation: Relation; readonly version: string } | undefined>
  /** What it will be if this query completes. */
  prepareBaseline(name: string, relation: Relation): Promise<void>
  /** Whether rows of the stages before have failed. */
  hasFailedRows(): boolean
  /** Runs the user's own SELECT over these tables, locked away from files, network and settings. */
  sandbox(text: string, tables: Readonly<Record<string, Relation>>): Promise<Relation>
}
