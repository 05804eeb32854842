import { type Json, stringifyJson } from '../../language/json.ts'
import { CommandFailure } from '../failure.ts'
import { multipartBody } from './multipart.ts'
import { fieldsOf } from './request.ts'

export interface BodyFlags {
  readonly data: Json | undefined
  readonly form: Json | undefined
  readonly multipart: Json | undefined
}

export interface RequestBody {
  readonly body: string | Uint8Array
  readonly type: string
}

/** What is sent, and the content type that it has unless the user names another. */
export function bodyOf({ data, form, multipart }: BodyFlags): RequestBody | undefined {
  if (data === undefined && form === undefined && multipart === undefined) return undefined
  const given = Object.entries({ data, form, multipart }).filter(([, value]) => value !== undefined)
  if (given.length > 1)
    throw new CommandFailure(
      'two_bodies',
      `A request has one body, but ${given.map(([name]) => `--${name}`).join(' and ')} are given.`,
    )
  if (data !== undefined) return dataBody(data)
  if (multipart !== undefined) return multipartBody(multipart)
  return {
    body: new URLSearchParams(fieldsOf(form, '--form')).toString(),
    type: 'application/x-www-form-urlencoded',
  }
}

const dataBody = (data: Json): RequestBody =>
  typeof data === 'string'
    ? { body: data, type: 'text/plain; charset=utf-8' }
    : { body: stringifyJson(data), type: 'application/json' }
