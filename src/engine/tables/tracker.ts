import type { Json } from '../../language/json.ts'
import { type Column, identify } from '../../sql/relation.ts'
import type { SqlType } from '../../sql/sql.ts'
import { TableError } from './errors.ts'

/** What kinds of value a column has held, as bits: they only ever grow, and two trackers meet by `or`. */
const seen = {
  /** A whole number that a double holds exactly. */
  integer: 1,
  /** A whole number of 64 bits that a double does not hold. */
  long: 2,
  /** A whole number past 64 bits. */
  huge: 4,
  float: 8,
  text: 16,
  boolean: 32,
  nested: 64,
  /** Text that is no plain JSON number. */
  word: 128,
} as const

export const DEFAULT_MAX_COLUMNS = 2000

export const ILL_FORMED = -1

const LONG_MIN = -(2n ** 63n)
const LONG_MAX = 2n ** 63n - 1n
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Plain data: what a journal writes of its tracker, and what it is made from again. */
export interface TrackerState {
  readonly names: readonly string[]
  readonly kinds: readonly number[]
}

/**
 * Learns a table's columns and their types from its rows, exactly and over all of them: DuckDB, told that a column is
 * BIGINT, silently reads 0.1 as 0. Columns are numbered in the order they first appear.
 */
export class Tracker {
  readonly #maxColumns: number
  readonly #numbers = new Map<string, number>()
  readonly #names: string[] = []
  readonly #kinds: number[] = []
  #revision = 0

  constructor(maxColumns = DEFAULT_MAX_COLUMNS, state?: TrackerState) {
    this.#maxColumns = maxColumns
    for (const [index, name] of (state?.names ?? []).entries())
      this.see(this.number(name), state!.kinds[index]!)
  }

  /** The column's number; a new name gets the next one. `ILL_FORMED` for half a surrogate pair, which DuckDB refuses. */
  number(name: string): number {
    return this.#numbers.get(name) ?? this.#learn(name)
  }

  /** Counts in a value of the column. */
  see(number: number, kinds: number): void {
    const known = this.#kinds[number]!
    if ((known | kinds) === known) return
    this.#kinds[number] = known | kinds
    this.#revision++
  }

  /** Whether it is still worth telling numbers in text from words. */
  hasWords(number: number): boolean {
    return (this.#kinds[number]! & seen.word) !== 0
  }

  get size(): number {
    return this.#names.length
  }

  /** Changes when something was learnt. */
  get revision(): number {
    return this.#revision
  }

  get state(): TrackerState {
    return { names: [...this.#names], kinds: [...this.#kinds] }
  }

  #learn(name: string): number {
    if (!name.isWellFormed()) return ILL_FORMED
    if (this.#names.length >= this.#maxColumns) throw tooManyColumns(this.#maxColumns)
    const number = this.#names.push(name) - 1
    this.#kinds.push(0)
    this.#revision++
    this.#numbers.set(name, number)
    return number
  }
}

export const tooManyColumns = (limit: number): TableError =>
  new TableError(
    'too_many_columns',
    `The table would have more than ${limit} columns.`,
    'Keep what varies inside one column (an object or an array), drop columns earlier, or raise the ceiling in the settings.',
  )

/** The kind of a value that is not null. */
export function kindOf(value: Exclude<Json, null>, wantsWords = true): number {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? seen.integer : seen.float
    case 'string':
      return wantsWords && !isPlainNumber(value) ? seen.text | seen.word : seen.text
    case 'boolean':
      return seen.boolean
    case 'bigint':
      if (Number.isSafeInteger(Number(value))) return seen.integer
      return value >= LONG_MIN && value <= LONG_MAX ? seen.long : seen.huge
    default:
      return seen.nested
  }
}

const isPlainNumber = (text: string): boolean =>
  text.length < 400 && PLAIN_NUMBER.test(text) && Number.isFinite(Number(text))

export function columnsOf(state: TrackerState): Column[] {
  const ids = identify(state.names)
  return state.names.map((name, index) => {
    const kinds = state.kinds[index]!
    const type = typeOf(kinds)
    const numericText = type === 'VARCHAR' && (kinds & seen.text) !== 0 && (kinds & seen.word) === 0
    return { name, id: ids[index]!, type, ...(numericText && { numericText }) }
  })
}

/** The narrowest type that holds every value seen without changing any; a column of nothing but null is text. */
function typeOf(kinds: number): SqlType {
  const types = kinds & ~seen.word
  if ((types & ~seen.text) === 0) return 'VARCHAR'
  if ((types & ~(seen.integer | seen.long)) === 0) return 'BIGINT'
  if ((types & ~(seen.integer | seen.float)) === 0) return 'DOUBLE'
  return types === seen.boolean ? 'BOOLEAN' : 'JSON'
}
