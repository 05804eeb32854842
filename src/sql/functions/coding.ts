import { attempt, sql } from '../sql.ts'
import { typed } from '../value.ts'
import type { Implementations } from './implementation.ts'
import { ofTexts } from './text.ts'

export const CODING: Implementations = {
  md5: ofTexts(text => sql`md5(${text!})`),
  sha1: ofTexts(text => sql`sha1(${text!})`),
  sha256: ofTexts(text => sql`sha256(${text!})`),
  base64: ofTexts(text => sql`to_base64(encode(${text!}))`),
  unbase64: ofTexts(text => attempt(text!, t => sql`decode(from_base64(${t}))`)),
  hex: ofTexts(text => sql`lower(hex(${text!}))`),
  uuid: (_args, { markVolatile }) => {
    markVolatile()
    return typed(sql`uuid()::VARCHAR`, 'VARCHAR')
  },
}
