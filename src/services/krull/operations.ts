import type { Static } from 'typebox'
import type { PageAction } from '../../commands/browsing/browser.ts'
import type { Screenshots } from '../screenshot/screenshots.ts'
import type { Devices } from './devices.ts'
import { type GivenPicture, scriptOf, typeOf } from './given.ts'
import type { JobOptions, JobRunner } from './job-runner.ts'
import type {
  EvaluateBody,
  ExpressionBody,
  FormBody,
  RequestsBody,
  ScreenshotBody,
  SelectorBody,
  SessionBody,
} from './options.ts'
import { performActions } from './page/actions.ts'
import type { FormField } from './page/form.ts'
import type { OpenPage, PageFacts } from './page/open-page.ts'
import type { Picture } from './page/picture.ts'
import type { PictureType } from './page/picture-size.ts'
import { summarize } from './page/requests.ts'
import { runScript } from './page/script.ts'
import type { Storages } from './page/storages.ts'
import { type PageOptions, planPage } from './plan.ts'
import type { PageAnswer } from './records.ts'

type Answer = Static<typeof PageAnswer>
type Parts = Partial<Answer>

/** What a query can ask for besides the interface's own options of the operation. */
type ElementsOptions = Pick<PageOptions, 'filter' | 'viewportWidth' | 'viewportHeight' | 'timeoutMs'> & {
  readonly background?: string
}

export interface OperationParts {
  readonly runner: JobRunner
  readonly devices: Devices
  readonly screenshots: Screenshots
}

/** The browser operations of the interface; a route or a command calls them with the options as they were given. */
export class BrowserOperations {
  readonly #runner: JobRunner
  readonly #devices: Devices
  readonly #screenshots: Screenshots

  constructor({ runner, devices, screenshots }: OperationParts) {
    this.#runner = runner
    this.#devices = devices
    this.#screenshots = screenshots
  }

  /** An expression without a page. */
  async expression(body: Static<typeof ExpressionBody>, options: JobOptions = {}) {
    const script = scriptOf(body, body.expression)
    const done = await this.#runner.blank(async (session, watch, limits) => {
      const startedAt = performance.now()
      const result = await runScript(session, script, limits)
      return { result, console: [...watch.console], runMs: rounded(performance.now() - startedAt) }
    }, options)
    return {
      result: done.result,
      console: done.console,
      timing: { queueMs: done.queueMs, runMs: done.runMs },
    }
  }

  /** Every request that a page makes. */
  requests(body: Static<typeof RequestsBody>, options: JobOptions = {}): Promise<Answer> {
    const work = async (page: OpenPage): Promise<Parts> => {
      const result = body.expression !== undefined && {
        result: await page.run(scriptOf(body, body.expression)),
      }
      const log = page.requests!
      if (body.responseText) await log.readBodies()
      const { requests } = log
      return { ...result, requests, summary: summarize(requests), ...(await storagesIf(body.session, page)) }
    }
    return this.open(body, work, { ...options, captureRequests: true })
  }

  /** An expression in a page. */
  evaluate(body: Static<typeof EvaluateBody>, options: JobOptions = {}): Promise<Answer> {
    return this.open(
      body,
      async page => ({
        result: await page.run(scriptOf(body, body.expression)),
        ...(await this.#screenshotIf(body, page)),
        ...(await storagesIf(body.session, page)),
      }),
      options,
    )
  }

  /** The elements of a selector. */
  selector(body: Static<typeof SelectorBody>, options: JobOptions = {}): Promise<Answer> {
    return this.open(body, page => this.#elementsOf(body, page), options)
  }

  /** The same after some actions; `wait` then speaks of the page that they lead to. */
  elements(
    body: Static<typeof SelectorBody> & ElementsOptions,
    actions: readonly PageAction[],
    options: JobOptions = {},
  ): Promise<Answer> {
    return this.#answer(
      body,
      async page => {
        await page.open({ wait: actions.length === 0 })
        await performActions(page, actions)
        if (actions.length > 0) await page.wait()
        return this.#elementsOf(body, page)
      },
      options,
    )
  }

  /** Expressions that act on a page, with what its visitor has with the site before the first and after each. */
  session(body: Static<typeof SessionBody>, options: JobOptions = {}): Promise<Answer> {
    const expressions = [body.expression].flat()
    return this.open(
      body,
      async page => {
        const steps = [await stepOf(page, null)]
        for (const expression of expressions)
          steps.push(await stepOf(page, await page.act(scriptOf(body, expression))))
        const results = steps.slice(1).map(({ result }) => result)
        const { cookieStorage, localStorage, sessionStorage } = steps.at(-1)!
        const result = typeof body.expression === 'string' ? results[0] : results
        return { result, steps, cookieStorage, localStorage, sessionStorage }
      },
      options,
    )
  }

  /** A picture of an element or of the whole page, kept by the screenshot service. */
  screenshot(body: Static<typeof ScreenshotBody>, options: JobOptions = {}): Promise<Answer> {
    const type = typeOf(body)
    return this.open(
      body,
      async page => {
        const result = await expressionFirst(body, page)
        const picture = await takePicture(body, type, page)
        return {
          ...result,
          screenshot: await this.#keep(picture, page),
          ...(await storagesIf(body.session, page)),
        }
      },
      options,
    )
  }

  /** The picture itself; it is not kept. */
  async image(body: Static<typeof ScreenshotBody>, options: JobOptions = {}): Promise<Picture> {
    const type = typeOf(body)
    const done = await this.#runner.page(
      planPage(body, this.#devices),
      async page => {
        await page.open()
        await expressionFirst(body, page)
        return { picture: await takePicture(body, type, page) }
      },
      options,
    )
    return done.picture
  }

  /** Fills in a form and sends it. `wait` speaks of the page that this leads to. */
  form(body: Static<typeof FormBody>, options: JobOptions = {}): Promise<Answer> {
    const pairs = body.selectorValuePairs as unknown as readonly FormField[]
    return this.#answer(
      body,
      async page => {
        await page.open({ wait: false })
        await page.submit(pairs, body.submitSelector)
        await page.wait()
        return page.storages()
      },
      options,
    )
  }

  /** Opens a page by its options and answers with what the work gives, and with what is said of every page. */
  open(
    body: PageOptions,
    work: (page: OpenPage) => Promise<Parts>,
    options: JobOptions = {},
  ): Promise<Answer> {
    return this.#answer(
      body,
      async page => {
        await page.open()
        return work(page)
      },
      options,
    )
  }

  async #answer(
    body: PageOptions,
    work: (page: OpenPage) => Promise<Parts>,
    options: JobOptions,
  ): Promise<Answer> {
    const plan = planPage(body, this.#devices)
    const { queueMs, attempts, startedAt, ...answer } = await this.#runner.page(
      plan,
      async page => {
        const startedAt = performance.now()
        const parts = await work(page)
        const facts = factsIn(parts) ?? (await page.facts())
        return { ...parts, ...facts, ...saidBy(page), startedAt, loadMs: page.loadMs }
      },
      options,
    )
    const { loadMs, ...rest } = answer
    const runMs = performance.now() - startedAt - loadMs
    return { ...rest, timing: { queueMs, loadMs: rounded(loadMs), runMs: rounded(runMs) }, attempts }
  }

  async #elementsOf(body: Static<typeof SelectorBody>, page: OpenPage): Promise<Parts> {
    const { html = true, hashtml = false, dimension = true, engine = 'dom' } = body
    const script = body.expression === undefined ? undefined : scriptOf(body, body.expression)
    const reading = page.elements(body.selector, engine, { html, hashtml, dimension }, script)
    // Without a script nothing changes meanwhile: the facts of the page come with the same round trip.
    const [found, facts] = script ? [await reading, undefined] : await Promise.all([reading, page.facts()])
    return {
      ...found,
      ...facts,
      ...(await this.#screenshotIf(body, page)),
      ...(await storagesIf(body.session, page)),
    }
  }

  async #screenshotIf(body: GivenPicture & { readonly screenshot?: boolean }, page: OpenPage) {
    if (body.screenshot !== true) return undefined
    const { quality, background } = body
    const picture = await page.picture({ type: typeOf(body), quality, background })
    return { screenshot: await this.#keep(picture, page) }
  }

  async #keep({ bytes, type, width, height, note }: Picture, page: OpenPage) {
    const { url } = await page.facts()
    const hash = await this.#screenshots.keep(bytes, { type, width, height, url })
    return { hash, type, width, height, bytes: bytes.byteLength, ...(note !== undefined && { note }) }
  }
}

const factsIn = ({ url, status, title }: Parts): PageFacts | undefined =>
  url === undefined || status === undefined || title === undefined ? undefined : { url, status, title }

function saidBy({ watch, body }: OpenPage) {
  const { dialogs, console, errors } = watch
  return {
    ...(body && { body }),
    dialogs: [...dialogs],
    console: [...console],
    errors: [...errors],
  }
}

async function stepOf(page: OpenPage, result: unknown): Promise<Storages & { url: string; result: unknown }> {
  const storages = await page.storages()
  const { url } = await page.facts()
  return { url, result, ...storages }
}

const storagesIf = async (wanted: boolean | undefined, page: OpenPage) =>
  wanted === true ? page.storages() : undefined

const expressionFirst = async (body: Static<typeof ScreenshotBody>, page: OpenPage) =>
  body.expression === undefined ? undefined : { result: await page.run(scriptOf(body, body.expression)) }

const takePicture = (
  { selector, engine, quality, background }: Static<typeof ScreenshotBody>,
  type: PictureType,
  page: OpenPage,
): Promise<Picture> => page.picture({ type, quality, background }, selector, engine)

const rounded = (ms: number) => Math.max(0, Math.round(ms * 10) / 10)
