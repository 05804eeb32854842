import type { Json, Row } from '../language/json.ts'

/**
 * What SQL cannot say, row by row. Called once with the options of the stage, it gives the function that turns a row
 * into one row, several or none. Runs on a worker thread: it sees its arguments and nothing else of the process.
 */
export type Mapper = (options: Json) => (row: Row) => Row | readonly Row[]

/** Mappers by name, loaded when they are needed. */
export type Mappers = Readonly<Record<string, () => Promise<Mapper>>>
