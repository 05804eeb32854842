import { CODING } from './coding.ts'
import type { Implementations } from './implementation.ts'
import { LISTS } from './lists.ts'
import { NUMBERS } from './numbers.ts'
import { REGEX } from './regex.ts'
import { TEXT } from './text.ts'
import { TIME } from './time.ts'
import { VALUES } from './values.ts'
import { WEB } from './web.ts'

/** The SQL of every function, by its name. */
export const IMPLEMENTATIONS: Implementations = {
  ...TEXT,
  ...NUMBERS,
  ...VALUES,
  ...REGEX,
  ...TIME,
  ...WEB,
  ...CODING,
  ...LISTS,
}
