import type { PageAction } from '../../../commands/browsing/browser.ts'
import { ForageError } from '../../../errors.ts'
import type { OpenPage } from './open-page.ts'

/** A page may make the element in answer to the action before: it is waited for, but not as long as the job lasts. */
const APPEARS_MS = 5000
/** A page that has not grown for this long has come to its end. */
const GROWS_MS = 1000

const click = `async (selector, patienceMs) => {
  const until = performance.now() + patienceMs
  for (;;) {
    const element = document.querySelector(selector)
    if (element) {
      element.scrollIntoView({ block: 'center', behavior: 'instant' })
      element.click()
      return true
    }
    if (performance.now() > until) return false
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}`

/** Pages load more when their end comes into view: whether they do is seen by their height. */
const scroll = `async (by, growsMs) => {
  const root = document.scrollingElement ?? document.documentElement
  if (by !== 'end') return void root.scrollBy({ top: by, behavior: 'instant' })
  for (let height = -1, since = performance.now(); performance.now() - since < growsMs; ) {
    if (root.scrollHeight !== height) {
      height = root.scrollHeight
      since = performance.now()
    }
    root.scrollTo({ top: height, behavior: 'instant' })
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}`

/** Does what is to be done, one after the other; what leads to another page is followed there. */
export async function performActions(page: OpenPage, actions: readonly PageAction[]): Promise<void> {
  for (const action of actions) {
    if (action.kind === 'scroll') await act(page, scroll, [action.by, GROWS_MS])
    else if ((await act(page, click, [action.selector, APPEARS_MS])) === false)
      throw new ForageError(
        'no_match',
        `The page has no element to click that matches ${action.selector.slice(0, 200)}.`,
      )
  }
}

const act = (page: OpenPage, expression: string, args: readonly unknown[]): Promise<unknown> =>
  page.act({ expression, args, libraries: [] })
