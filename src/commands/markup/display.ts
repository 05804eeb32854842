import { attribute, type Element, isHtml } from './tree.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Elements that begin and end a line, as the style sheet of a browser has them. */
const BLOCKS = words(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search section summary table tbody tfoot thead tr ul xmp',
)

/** Elements whose content is nothing to read on the page: code, descriptions, stand-ins for what is shown instead. */
const HIDDEN = words(
  'area audio base canvas datalist head iframe link meta noembed noframes noscript object param rp script source style svg template textarea title track video',
)

const PREFORMATTED = words('listing plaintext pre textarea xmp')

export const isBlock = (element: Element): boolean => BLOCKS.has(element.tagName)
export const isPreformatted = (element: Element): boolean => PREFORMATTED.has(element.tagName)

/** By its name, by `hidden`, or by its own style; style sheets are not read. */
export function isHidden(element: Element): boolean {
  if (HIDDEN.has(element.tagName)) return true
  if (!isHtml(element)) return false
  const hidden = attribute(element, 'hidden')
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true
  return /(?:^|;)\s*display\s*:\s*none\b/i.test(attribute(element, 'style') ?? '')
}
