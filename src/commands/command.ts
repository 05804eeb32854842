import type { CommandDeclaration, Parameter, ValueType } from '../language/declaration.ts'
import type { Expression } from '../language/expression/tree.ts'
import type { Json, Row } from '../language/json.ts'
import type { Aggregate, Path, Template } from '../language/values.ts'
import type { Relation } from '../sql/relation.ts'
import type { Sql } from '../sql/sql.ts'

/** A command: what it says of itself, and how it runs. */
export type Command<D extends CommandDeclaration = CommandDeclaration> = D & Runner<D>

type Runner<D> =
  | { readonly source: (context: SourceContext<D>) => Relation | Promise<Relation> }
  | { readonly reduce: (context: ReduceContext<D>) => Relation | Promise<Relation> }

/** Declares a command; the arguments that `source` or `reduce` get are typed by the declaration. */
export const command = <const D extends CommandDeclaration>(declaration: D & Runner<D>): Command<D> =>
  declaration

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

type Given<P> = P extends Parameter
  ? P extends { readonly repeated: true }
    ? readonly ValueOf<P['type']>[]
    : ValueOf<P['type']>
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

/** What both kinds may ask of the engine. */
export interface SourceContext<D> {
  readonly args: D extends { readonly arguments: infer L } ? ArgumentsOf<L> : never
  readonly flags: D extends { readonly flags: infer L } ? FlagsOf<L> : Record<string, never>
  readonly queryId: string
  readonly startedAt: Date
  /** The rows of an earlier stage, by label or index. */
  stage(reference: string): Promise<Relation>
  /** Writes rows to a table, inferring the types over all of them. */
  ingest(rows: Iterable<Row> | AsyncIterable<Row>): Promise<Relation>
  /** Runs a small query of discovery (which keys are there, is it all numbers) and gives its rows. */
  probe(query: Sql): Promise<Row[]>
  /** A limit that bit, a division by zero: kept in the query's record. */
  warn(code: string, message: string): void
}

export interface ReduceContext<D> extends SourceContext<D> {
  readonly input: Relation
  /** Puts a relation into a file, so that a command that looks before it leaps computes it once. */
  materialize(relation: Relation): Promise<Relation>
  /** Maps the rows in batches by a function of `commands/mappers/`, on a worker thread: for what SQL cannot say. */
  map(relation: Relation, mapper: string, options: Json): Promise<Relation>
}
