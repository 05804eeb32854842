import { randomUUID } from 'node:crypto'
import { type Json, type Row, stringifyJson } from '../../language/json.ts'
import { textOf } from '../../language/resolve.ts'
import { CommandFailure } from '../failure.ts'
import type { RequestBody } from './body.ts'

/** `{field: "text", file: {filename, type, value | base64}}`, or a list of `{name, filename, type, value | base64}`. */
export function multipartBody(given: Json): RequestBody {
  const boundary = `forage-${randomUUID()}`
  const chunks = partsOf(given).flatMap(([name, value]) => [
    Buffer.from(`--${boundary}\r\n${head(name, value)}\r\n\r\n`),
    content(name, value),
    Buffer.from('\r\n'),
  ])
  return {
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

type Part = readonly [name: string, value: Json]

function partsOf(given: Json): Part[] {
  if (isRow(given))
    return Object.entries(given).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((item): Part => [name, item]),
    )
  if (!Array.isArray(given)) throw wrong('--multipart takes an object of fields, or a list of parts.')
  return given.map((part: Json, index): Part => {
    if (isRow(part) && typeof part.name === 'string') return [part.name, part]
    throw wrong(`Part ${index} of --multipart has no name.`)
  })
}

const wrong = (message: string) =>
  new CommandFailure('bad_multipart', message, {
    hint: 'A field is {"name": "text"}; a file {"name": {"filename": "a.txt", "type": "text/plain", "value": "text"}}, or with base64 in place of value.',
  })

function head(name: string, value: Json): string {
  const { filename = null, type = null } = isRow(value) ? value : {}
  const file = filename === null ? '' : `; filename="${quoted(textOf(filename))}"`
  const given = type === null ? (filename === null ? null : 'application/octet-stream') : textOf(type)
  const line = given === null ? '' : `\r\nContent-Type: ${given.replace(/[\r\n]+/g, ' ')}`
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}${line}`
}

/** As browsers write names in a form: no value can end its quotes or its line. */
const quoted = (text: string): string => text.replace(/\r\n|\r|\n/g, '%0D%0A').replaceAll('"', '%22')

function content(name: string, value: Json): Buffer {
  if (!isRow(value)) return Buffer.from(value === null ? '' : textOf(value))
  if (typeof value.base64 === 'string') {
    if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(value.base64.replace(/\s+/g, '')))
      throw wrong(`The base64 of the part ${name} is not valid.`)
    return Buffer.from(value.base64, 'base64')
  }
  if (value.value === undefined)
    return 'filename' in value || 'type' in value ? Buffer.alloc(0) : Buffer.from(stringifyJson(value))
  return Buffer.from(value.value === null ? '' : textOf(value.value))
}

const isRow = (value: Json): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
