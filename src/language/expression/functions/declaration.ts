import type { Json, Row } from '../../json.ts'

/** What a function says of itself: checks, help, docs, completion and the `functions` command are made from it. */
export interface FunctionDeclaration {
  readonly name: string
  readonly group: FunctionGroup
  readonly parameters: readonly FunctionParameter[]
  readonly result: ResultType
  /** One line, no full stop. */
  readonly summary: string
  readonly example: FunctionExample
}

export type FunctionGroup = 'text' | 'numbers' | 'values' | 'regex' | 'time' | 'web' | 'coding' | 'lists'

export type ResultType = 'any' | 'text' | 'number' | 'boolean' | 'time' | 'list'

/** `regex`, `group`, `format`, `timezone` and `duration` are written out, never computed, so that they can be checked before anything runs. */
export type ParameterType =
  | 'any'
  | 'text'
  | 'number'
  | 'condition'
  | 'time'
  | 'list'
  | 'regex'
  | 'group'
  | 'format'
  | 'timezone'
  | 'duration'
  | 'size'

export interface FunctionParameter {
  readonly name: string
  readonly type: ParameterType
  readonly optional?: boolean
  /** The last one only: takes one or more. */
  readonly repeated?: boolean
  /** The greatest number that makes sense. */
  readonly max?: number
}

/** `expression` over `row` gives `result`; without a result it differs each time. Run by the tests. */
export interface FunctionExample {
  readonly expression: string
  readonly row?: Row
  readonly result?: Json
}

type Make = (name: string) => FunctionParameter
const of =
  (type: ParameterType): Make =>
  name => ({ name, type })

export const any = of('any')
export const text = of('text')
export const number = of('number')
export const condition = of('condition')
export const time = of('time')
export const list = of('list')
export const regex = of('regex')
export const group = of('group')
export const format = of('format')
export const timezone = of('timezone')
export const duration = of('duration')
export const size = of('size')
export const optional = (parameter: FunctionParameter): FunctionParameter => ({
  ...parameter,
  optional: true,
})
export const repeated = (parameter: FunctionParameter): FunctionParameter => ({
  ...parameter,
  repeated: true,
})

/** Declares a family: its rows are `[name, parameters, result, summary, example]`. */
export type FunctionRow = readonly [
  name: string,
  parameters: readonly FunctionParameter[],
  result: ResultType,
  summary: string,
  example: FunctionExample,
]

export const family = (group: FunctionGroup, rows: readonly FunctionRow[]): readonly FunctionDeclaration[] =>
  rows.map(([name, parameters, result, summary, example]) => ({
    name,
    group,
    parameters,
    result,
    summary,
    example,
  }))
