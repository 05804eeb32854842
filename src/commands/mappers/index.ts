import type { Mapper, Mappers } from '../mapper.ts'

const from = (load: () => Promise<{ readonly map: Mapper }>) => async () => (await load()).map

/** Every mapper, by the name that commands ask for it. */
export const mappers: Mappers = {
  csv: from(() => import('./csv.ts')),
  digest: from(() => import('./digest.ts')),
  html: from(() => import('./html.ts')),
  jsonpath: from(() => import('./jsonpath.ts')),
  lifted: from(() => import('./lifted.ts')),
  markdown: from(() => import('./markdown.ts')),
  text: from(() => import('./text.ts')),
  url: from(() => import('./url.ts')),
  xml: from(() => import('./xml.ts')),
}
