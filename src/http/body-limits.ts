import type { TSchema } from 'typebox'

/** The character with the longest spelling: two escapes, `\ud83d\ude00`. */
const BYTES_A_CHARACTER = 12
const BYTES_A_NUMBER = 64
const BYTES_A_WORD = 8
/** For blanks and line breaks between the parts. */
const LAYOUT = 64 * 1024

/** The parts of JSON Schema that say how long a value may be. */
interface Shape {
  readonly type?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape | readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: unknown
}

/**
 * The largest body that a route takes: every legal value of its schema fits, however it is escaped. What the schema leaves
 * open (free objects, texts without a limit) may take `usual` bytes each.
 */
export function bodyLimitOf(schema: TSchema | undefined, usual: number): number {
  // A TypeBox schema is JSON Schema.
  return schema === undefined
    ? usual
    : Math.max(usual, bounded(bytesOf(schema as Shape, usual), usual) + LAYOUT)
}

const bounded = (bytes: number, usual: number): number => (Number.isFinite(bytes) ? bytes : usual)

/** Infinity where the schema sets no limit. */
function bytesOf(shape: Shape, usual: number): number {
  const of = (part: Shape) => bytesOf(part, usual)
  if (shape.anyOf) return Math.max(...shape.anyOf.map(of))
  if (shape.enum) return Math.max(...shape.enum.map(textBytes))
  if (shape.const !== undefined) return textBytes(shape.const)
  switch (shape.type) {
    case 'string':
      return shape.maxLength === undefined
        ? Number.POSITIVE_INFINITY
        : shape.maxLength * BYTES_A_CHARACTER + 2
    case 'integer':
    case 'number':
      return BYTES_A_NUMBER
    case 'boolean':
    case 'null':
      return BYTES_A_WORD
    case 'array':
      return arrayBytes(shape, of)
    case 'object':
      return objectBytes(shape, of, usual)
    default:
      return Number.POSITIVE_INFINITY
  }
}

function arrayBytes({ items, maxItems }: Shape, of: (part: Shape) => number): number {
  if (Array.isArray(items)) return items.reduce((sum, item) => sum + of(item) + 2, 2)
  return items === undefined || maxItems === undefined
    ? Number.POSITIVE_INFINITY
    : maxItems * (of(items as Shape) + 2) + 2
}

function objectBytes(
  { properties, additionalProperties }: Shape,
  of: (part: Shape) => number,
  usual: number,
): number {
  if (properties === undefined || additionalProperties !== false) return Number.POSITIVE_INFINITY
  return Object.entries(properties).reduce(
    (sum, [name, part]) => sum + textBytes(name) + bounded(of(part), usual) + 4,
    2,
  )
}

const textBytes = (value: unknown): number => String(value).length * BYTES_A_CHARACTER + 2
