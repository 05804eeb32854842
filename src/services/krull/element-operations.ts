import type { Static } from 'typebox'
import { scriptOf } from './given.ts'
import type { SelectorBody } from './options.ts'
import type { OpenPage, PageFacts } from './page/open-page.ts'
import { type PageExtras, storagesIf } from './page-extras.ts'
import type { PageAnswer } from './records.ts'

type Body = Static<typeof SelectorBody>
type Answer = Static<typeof PageAnswer>

/** Some of the elements of a page, and what is said of the page with all of them. */
export type ElementsPart = Pick<
  Answer,
  'url' | 'result' | 'screenshot' | 'cookieStorage' | 'localStorage' | 'sessionStorage'
> & { readonly elements: NonNullable<Answer['elements']> }

/** The elements of a selector, all at once. */
export async function elementsOf(body: Body, page: OpenPage, extras: PageExtras): Promise<Partial<Answer>> {
  const { selector, engine, fields, script } = wanted(body)
  const reading = page.elements(selector, engine, fields, script)
  // Without a script nothing changes meanwhile: the facts of the page come with the same round trip.
  const [found, facts] = script ? [await reading, undefined] : await Promise.all([reading, page.facts()])
  return { ...found, ...facts, ...(await besides(body, page, extras)) }
}

/** Hands them on some at a time: the first are read before anything else, the next when \`take\` has resolved. */
export async function handOnElements(
  body: Body,
  page: OpenPage,
  extras: PageExtras,
  take: (part: ElementsPart) => Promise<void>,
): Promise<PageFacts> {
  const { selector, engine, fields, script } = wanted(body)
  const reading = page.elementsInBatches(selector, engine, fields, script)
  const [found, known] = script ? [await reading, undefined] : await Promise.all([reading, page.facts()])
  const { first, more, ...result } = found
  const facts = known ?? (await page.facts())
  const said = { url: facts.url, ...result, ...(await besides(body, page, extras)) }
  for (let elements = first; elements.length > 0; elements = await more()) await take({ ...said, elements })
  return facts
}

const besides = async (body: Body, page: OpenPage, extras: PageExtras) => ({
  ...(await extras.screenshotIf(body, page)),
  ...(await storagesIf(body.session, page)),
})

const wanted = (body: Body) => {
  const { selector, html = true, hashtml = false, dimension = true, engine = 'dom' } = body
  const script = body.expression === undefined ? undefined : scriptOf(body, body.expression)
  return { selector, engine, fields: { html, hashtml, dimension }, script }
}
