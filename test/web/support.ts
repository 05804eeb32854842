import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../../src/services/krull/find-browser.ts'
import { type Served, serve } from '../support/forage.ts'

export interface Application {
  readonly data: string
  readonly browser: Browser
  served: Served
  /** The demo site's address. */
  readonly demo: string
  /** A page in a context of its own; what it complains of in its console fails the test at the end. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  /** The same, signed in as the first user. */
  signedIn(path: string, options?: BrowserContextOptions): Promise<Page>
}

export const USER = { username: 'ada', password: 'a long enough password' } as const

/** Forage as people start it, with a browser before it. */
export async function startApplication(env: NodeJS.ProcessEnv = {}): Promise<Application> {
  const data = await mkdtemp(join(tmpdir(), 'forage-web-'))
  const executablePath = await findBrowser()
  assert.ok(executablePath, 'these tests need the browser that set-up installs')
  const browser = await chromium.launch({ executablePath })
  const complaints: string[] = []
  const application: Application = {
    data,
    browser,
    served: await serve(data, env),
    get demo() {
      return linkIn(this.served.greeting, /Demo site:\s+(\S+)/)
    },
    async open(path, options) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        ...options,
      })
      await context.exposeFunction('complain', (complaint: string) => complaints.push(complaint))
      await context.addInitScript(tellOfViolations)
      const page = await context.newPage()
      page.setDefaultTimeout(30_000)
      page.on('pageerror', error => complaints.push(error.message))
      await page.goto(`${this.served.address}${path}`)
      return page
    },
    async signedIn(path, options) {
      const page = await this.open('/sign-in', options)
      const state = await signInByPassword(page, this.served)
      assert.equal(state, 201)
      await page.goto(`${this.served.address}${path}`)
      return page
    },
  }
  // What stood on the page is what one asks first when a test waited in vain.
  afterEach(async context => {
    if ('passed' in context && context.passed) return
    for (const page of browser.contexts().flatMap(it => it.pages()))
      console.error(
        `${page.url()}\n${await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String)}`,
      )
  })
  after(async () => {
    await browser.close()
    await application.served.end()
    await rm(data, { recursive: true, force: true })
    assert.deepEqual(complaints, [])
  })
  return application
}

/** Runs in the page: whatever its policy forbids is told to the test, with the element that it was about. */
function tellOfViolations(): void {
  interface Violation {
    readonly violatedDirective: string
    readonly blockedURI: string
    readonly target: { readonly outerHTML?: string; closest?(selector: string): unknown }
  }
  const { document, complain } = globalThis as unknown as {
    document: { addEventListener(type: string, listener: (event: Violation) => void): void }
    complain(complaint: string): void
  }
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, target }) => {
    // Where one types over a selection, the browser itself may style the new text like the old, until CodeMirror draws it.
    if (violatedDirective === 'style-src-attr' && target.closest?.('.cm-content')) return
    complain(`${violatedDirective} forbids ${blockedURI}: ${target.outerHTML?.slice(0, 2000)}`)
  })
}

/** The first user is made where there is none yet; then signs in without the form, as the form would. */
async function signInByPassword(page: Page, served: Served): Promise<number> {
  await fetch(`${served.address}/v1/secrets/users`, {
    method: 'POST',
    headers: { authorization: `svc ${served.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ credential: USER }),
  })
  return page.evaluate(
    async user =>
      (
        await fetch('/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(user),
        })
      ).status,
    USER,
  )
}

export const signInLink = (served: Served): string => linkIn(served.greeting, /Sign in:\s+(\S+)/)

function linkIn(greeting: string, pattern: RegExp): string {
  const found = pattern.exec(greeting)?.[1]
  assert.ok(found, greeting)
  return found
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Fading {
  readonly finished: Promise<unknown>
  readonly effect: { getComputedTiming(): { readonly endTime: number } }
}

/** What axe finds that keeps people from using the page. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // What is still fading in has other colours for a moment. Endless ones, such as that of a loader, are not waited for.
  await page.evaluate(async () => {
    const { document } = globalThis as unknown as { document: { getAnimations(): Fading[] } }
    const passing = document
      .getAnimations()
      .filter(one => one.effect.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(passing.map(one => one.finished))
  })
  // Through the protocol: the page's policy lets no script element in.
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}
