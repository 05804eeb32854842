import Type from 'typebox'
import type { Page, PageRequest } from '../storage/catalog/page.ts'

/** `?offset&limit` of every list. */
export const pageParameters = {
  offset: Type.Integer({ minimum: 0, default: 0, description: 'How many to leave out' }),
  limit: Type.Integer({ minimum: 0, maximum: 1000, default: 100, description: 'How many to answer at most' }),
}
export const PageQuery = Type.Object(pageParameters, { additionalProperties: false })

/** The answer of a list route: `{ items, total, offset, limit }`. */
export const pageOf = <T>({ items, total }: Page<T>, { offset, limit }: PageRequest) => ({
  items,
  total,
  offset,
  limit,
})
