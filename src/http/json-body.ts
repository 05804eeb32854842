import { constants, isUtf8 } from 'node:buffer'
import { ForageError } from '../errors.ts'
import { JsonMistake, JsonScanner, MAX_DEPTH, whereTooDeep } from './json-scanner.ts'

/** A JavaScript string holds no more; a larger body is read piece by piece. */
const LONGEST_TEXT = constants.MAX_STRING_LENGTH

/** The JSON of a body, or a problem that says where it is wrong. */
export function parseJsonBody(bytes: Buffer, longestText = LONGEST_TEXT): unknown {
  if (!isUtf8(bytes)) throw problem(bytes, firstNonUtf8(bytes), 'not UTF-8 from here on')
  const deep = whereTooDeep(bytes)
  if (deep >= 0) throw problem(bytes, deep, `nested deeper than ${MAX_DEPTH} levels`)
  const value = bytes.length <= longestText ? parseWhole(bytes) : scan(bytes)
  refusePrototypes(value, bytes)
  return value
}

function parseWhole(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return scan(bytes)
  }
}

function scan(bytes: Buffer): unknown {
  try {
    return new JsonScanner(bytes).read()
  } catch (error) {
    if (error instanceof JsonMistake) throw problem(bytes, error.at, error.message)
    throw error
  }
}

function problem(bytes: Buffer, at: number, message: string): ForageError {
  const place = placeOf(bytes, at)
  const detail = `The body is not JSON: line ${place.line}, column ${place.column}: ${message}.`
  return new ForageError('invalid_json', detail, { errors: [{ path: '$', message, ...place }] })
}

/** Line and column from 1, offset from 0, counted in UTF-16 units like every editor does. */
function placeOf(bytes: Buffer, at: number): { line: number; column: number; offset: number } {
  const before = bytes.toString('utf8', Math.max(0, at - LONGEST_TEXT), at)
  const lastBreak = before.lastIndexOf('\n')
  return { line: before.split('\n').length, column: before.length - lastBreak, offset: before.length }
}

/** Decoding puts U+FFFD where the bytes are wrong: the first difference is the place. */
function firstNonUtf8(bytes: Buffer): number {
  const step = 1 << 16
  for (let start = 0; start < bytes.length; ) {
    const part = bytes.subarray(start, start + step)
    const again = Buffer.from(part.toString('utf8'))
    const wrong = part.findIndex((byte, index) => byte !== again[index])
    // A character that the cut split in two is looked at again from its first byte.
    if (wrong >= 0 && wrong < part.length - 3) return start + wrong
    if (wrong < 0) start += part.length
    else if (start + part.length === bytes.length) return start + wrong
    else start += wrong
  }
  return bytes.length
}

/**
 * A field named `__proto__` is refused wherever it stands: it is data to JSON, but a trap for any code that copies fields.
 * The bytes are searched first, because hardly any body has one.
 */
function refusePrototypes(value: unknown, bytes: Buffer): void {
  if (!bytes.includes('__proto__') && !bytes.includes('\\u005')) return
  const path = pathOfPrototype(value, '$')
  if (path === undefined) return
  const message = 'a field must not be named "__proto__"'
  throw new ForageError('invalid_request', `The body is not valid: ${path}: ${message}.`, {
    errors: [{ path, message, in: 'body' }],
  })
}

function pathOfPrototype(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, '__proto__')) return `${path}.__proto__`
  for (const [name, item] of Object.entries(value)) {
    const found = pathOfPrototype(item, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`)
    if (found) return found
  }
  return undefined
}
