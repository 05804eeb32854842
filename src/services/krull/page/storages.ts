import type { Session } from '../browser/connection.ts'
import { type CookieRecord, readCookies } from '../cookies.ts'
import { callInPage } from './evaluate.ts'

/** What a visitor has with a site, in the form in which it can be given again. */
export interface Storages {
  readonly cookieStorage: Record<string, CookieRecord | CookieRecord[]>
  readonly localStorage: Record<string, string>
  readonly sessionStorage: Record<string, string>
}

const read = `() => {
  const of = name => { try { return Object.fromEntries(Object.entries(window[name])) } catch { return {} } }
  return JSON.stringify({ localStorage: of('localStorage'), sessionStorage: of('sessionStorage') })
}`

export async function readStorages(
  page: Session,
  browser: Session,
  browserContextId: string,
): Promise<Storages> {
  const [{ cookies }, { value }] = await Promise.all([
    browser.send('Storage.getCookies', { browserContextId }),
    callInPage(page, read),
  ])
  return {
    cookieStorage: readCookies(cookies),
    ...(JSON.parse(String(value)) as Omit<Storages, 'cookieStorage'>),
  }
}

/**
 * The script that fills the storages before the page's own scripts run, in a world of its own that they cannot see. Only
 * for the address's own origin: where it redirects to gets nothing.
 */
export function storagesScript(
  origin: string,
  local: Readonly<Record<string, string>>,
  session: Readonly<Record<string, string>>,
): string {
  const set = (name: string, values: Readonly<Record<string, string>>) =>
    `for(const[key,value]of ${JSON.stringify(Object.entries(values))})${name}.setItem(key,value);`
  return `if(self===top&&location.origin===${JSON.stringify(origin)})try{${set('localStorage', local)}${set('sessionStorage', session)}}catch{}`
}
